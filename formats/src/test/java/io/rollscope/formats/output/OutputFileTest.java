package io.rollscope.formats.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutputFileTest {
  @TempDir Path folder;

  @Test
  void theFileAppearsOnlyWhenItIsWhole() throws Exception {
    Path file = folder.resolve("new/folder/traces.json");
    try (OutputFile out = OutputFile.at(file, List.of())) {
      write(out, "whole");
      assertThat(file).doesNotExist();
      out.commit();
    }
    assertThat(file).hasContent("whole");
    assertOnly(file);
  }

  @Test
  void whatWasNotCommittedIsRemovedAndTheOldFileStays() throws Exception {
    Path file = Files.writeString(folder.resolve("traces.json"), "old");
    try (OutputFile out = OutputFile.at(file, List.of())) {
      write(out, "half");
    }
    assertThat(file).hasContent("old");
    assertOnly(file);
  }

  @Test
  void anInputIsNeverOverwritten() throws Exception {
    // `convert traces-r*.jsonl` of the original took the second file for the output.
    Path input = Files.writeString(folder.resolve("traces-r1.jsonl"), "precious");
    Path symbolic = Files.createSymbolicLink(folder.resolve("link.json"), input);
    Path hard = Files.createLink(folder.resolve("hard.json"), input);
    Path around = folder.resolve("x/../traces-r1.jsonl");

    for (Path output : List.of(input, symbolic, hard, around)) {
      assertThatThrownBy(() -> OutputFile.at(output, List.of(input)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("output: " + output + " (expected: not one of the inputs)");
    }
    assertThat(input).hasContent("precious");
  }

  @Test
  void aFolderIsNoOutput() {
    assertThatThrownBy(() -> OutputFile.at(folder, List.of()))
        .hasMessage("output: " + folder + " (expected: a file, not a folder)");
  }

  @Test
  void aLinkIsWrittenThrough() throws Exception {
    Path file = Files.writeString(folder.resolve("real.json"), "old");
    Path link = Files.createSymbolicLink(folder.resolve("link.json"), file);
    try (OutputFile out = OutputFile.at(link, List.of())) {
      write(out, "new");
      out.commit();
    }
    assertThat(Files.isSymbolicLink(link)).isTrue();
    assertThat(file).hasContent("new");
  }

  /** Somebody else knows what we will call our file in a folder for all, and waits there. */
  @Test
  void aLinkOfAnotherUserInAFolderForAllIsRefused() throws Exception {
    Path precious = Files.writeString(folder.resolve("precious"), "old");
    Path shared = Files.createDirectory(folder.resolve("shared"));
    Files.setPosixFilePermissions(shared, PosixFilePermissions.fromString("rwxrwxrwx"));
    Path theirs = Files.createSymbolicLink(shared.resolve("theirs.json"), precious);
    Path mine = Files.createSymbolicLink(shared.resolve("mine.json"), precious);
    assumeTrue((int) Files.getAttribute(folder, "unix:uid") == 0, "only root gives links away");
    Files.setAttribute(theirs, "unix:uid", 65534, LinkOption.NOFOLLOW_LINKS);

    assertThatThrownBy(() -> OutputFile.at(theirs, List.of()))
        .hasMessage(
            "output: " + theirs + " (expected: not a link of another user, in a folder for all)");
    assertThat(precious).hasContent("old");
    try (OutputFile out = OutputFile.at(mine, List.of())) {
      write(out, "new");
      out.commit();
    }
    assertThat(precious).hasContent("new");
  }

  @Test
  void aDeviceIsNotReplaced() throws Exception {
    Path device = Path.of("/dev/null");
    try (OutputFile out = OutputFile.at(device, List.of())) {
      write(out, "gone");
      out.commit();
    }
    assertThat(Files.isRegularFile(device)).isFalse();
  }

  @Test
  void aStreamStaysOpen() throws Exception {
    ByteArrayOutputStream stdout = new ByteArrayOutputStream();
    try (OutputFile out = OutputFile.to(stdout)) {
      write(out, "text");
      out.commit();
      assertThat(out.scratchFolder()).isDirectory();
    }
    assertThat(stdout.toString(StandardCharsets.UTF_8)).isEqualTo("text");
  }

  private static void write(OutputFile out, String text) throws IOException {
    out.stream().write(text.getBytes(StandardCharsets.UTF_8));
  }

  private static void assertOnly(Path file) throws IOException {
    try (var files = Files.list(file.getParent())) {
      assertThat(files).containsExactly(file);
    }
  }
}
