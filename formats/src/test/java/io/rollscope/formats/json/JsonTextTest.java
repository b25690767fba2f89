package io.rollscope.formats.json;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class JsonTextTest {
  private static final String LONE_SURROGATE =
      "(?<![\ud800-\udbff])[\udc00-\udfff]|[\ud800-\udbff](?![\udc00-\udfff])";

  @Property
  void anyTextReadsBackUnchanged(@ForAll String value) throws IOException {
    String read =
        new ObjectMapper().readValue(new JsonText().string(value).toString(), String.class);

    assertThat(read).isEqualTo(value.replaceAll(LONE_SURROGATE, "?"));
  }

  @Property
  void anyIntegerIsWrittenPlainly(@ForAll long value) {
    assertThat(new JsonText().number(value)).hasToString(Long.toString(value));
  }

  /** An exception text of a tool holds anything: quotes, tabs, other alphabets, emoji. */
  @Test
  void escapesOnlyWhatPythonEscapes() {
    assertThat(new JsonText().string("\"\\\n\r\t\b\f\u0001/\u007fäß 数学 😀"))
        .hasToString("\"\\\"\\\\\\n\\r\\t\\b\\f\\u0001/\u007fäß 数学 😀\"");
  }

  @Test
  void halfACharacterBecomesAQuestionMark() {
    assertThat(new JsonText().string("a\ud83d")).hasToString("\"a?\"");
  }

  @Test
  void growsWithItsContent() {
    String longText = "x".repeat(100_000);

    assertThat(new JsonText().string(longText)).hasToString('"' + longText + '"');
  }
}
