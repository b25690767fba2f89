package io.rollscope.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Data folders that earlier versions left when they were killed: journal, segments, manifest, where
 * metrics stand. Each opens, is upgraded, and answers as its own version did.
 */
class OldDataFoldersTest {
  private final AtomicLong clock = new AtomicLong();
  @TempDir Path data;

  private static InputStream resource(String name) {
    return OldDataFoldersTest.class.getResourceAsStream("/datafolders/" + name);
  }

  private void unpack(String version) throws IOException {
    try (ZipInputStream zip = new ZipInputStream(resource(version + "/data.zip"))) {
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        Path file = data.resolve(entry.getName());
        Files.createDirectories(file.getParent());
        Files.copy(zip, file);
      }
    }
  }

  /** Questions, each followed by the rows of its answer. */
  private static List<List<String>> recorded(String version) throws IOException {
    List<List<String>> all = new ArrayList<>();
    try (InputStream in = resource(version + "/answers.txt")) {
      for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8).split("\n")) {
        if (line.startsWith("# ")) {
          all.add(new ArrayList<>());
        }
        all.get(all.size() - 1).add(line);
      }
    }
    return all;
  }

  @ParameterizedTest
  @ValueSource(strings = "500d46b")
  void answerAsTheirOwnVersionDid(String version) throws Exception {
    unpack(version);
    for (int start = 0; start < 2; start++) { // Upgraded, and as it is then.
      for (List<String> recorded : recorded(version)) {
        String question = recorded.get(0).substring(2);
        List<String> answer = recorded.subList(1, recorded.size());
        if (question.startsWith("made at ")) {
          clock.set(Long.parseLong(question.substring(8)));
          continue;
        }
        try (TestStore store = TestStore.open(data, clock)) {
          if (question.equals("runs") && start > 0) {
            continue; // Whether sealed points were sent or scraped is not known any more.
          }
          List<String> found = question.equals("runs") ? runs(store) : rows(store, question);
          assertThat(found).as("%s, start %d", question, start).isEqualTo(answer);
          assertThat(store.store().health().damaged()).isEmpty();
        }
      }
    }
    assertThat(Files.readString(data.resolve("segments/v1/manifest.json")))
        .startsWith("{\"version\":3,");
  }

  private static List<String> rows(TestStore store, String question) throws Exception {
    return store.query(question).stream().map(row -> row.replace('|', '\t')).toList();
  }

  private static List<String> runs(TestStore store) {
    return store.store().runs().stream()
        .map(
            run ->
                String.format(
                    Locale.ROOT,
                    "%s\t%s\t%s\t%d\t%d\t%d\t%d",
                    run.run(),
                    seconds(run.firstS()),
                    seconds(run.lastS()),
                    run.batches(),
                    run.sessions(),
                    run.spans(),
                    run.openSpans()))
        .toList();
  }

  private static String seconds(double s) {
    return new java.math.BigDecimal(Double.toString(s)).toPlainString();
  }
}
