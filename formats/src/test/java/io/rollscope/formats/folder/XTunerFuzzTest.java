package io.rollscope.formats.folder;

import net.jqwik.api.Tag;

@Tag("fuzz")
class XTunerFuzzTest extends FuzzedReader {
  XTunerFuzzTest() {
    super(Sort.XTUNER, "lines/xtuner.jsonl");
  }
}
