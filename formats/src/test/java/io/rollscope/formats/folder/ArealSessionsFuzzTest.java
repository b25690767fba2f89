package io.rollscope.formats.folder;

import net.jqwik.api.Tag;

@Tag("fuzz")
class ArealSessionsFuzzTest extends FuzzedReader {
  ArealSessionsFuzzTest() {
    super(Sort.AREAL_SESSIONS, "areal/current/session_tracer/sessions-r0.jsonl");
  }
}
