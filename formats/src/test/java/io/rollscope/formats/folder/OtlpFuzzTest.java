package io.rollscope.formats.folder;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.jqwik.api.Tag;

@Tag("fuzz")
class OtlpFuzzTest extends FuzzedReader {
  OtlpFuzzTest() {
    super(Sort.OTLP, "lines/otlp.jsonl");
  }

  /** A line holds any number of spans, and a span may come several times. */
  @Override
  void requireAllAccountedFor(ReadTraces read, List<String> written) {
    assertThat(read.skipped().count()).isLessThanOrEqualTo(written.size());
  }
}
