package io.rollscope.core;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Whoever follows a citation finds what is cited: a rule of docs/contracts.md, a document. */
class CitationsTest {
  private static final Path ROOT = Path.of("").toAbsolutePath().getParent();
  private static final Pattern RULE = Pattern.compile("(?m)^\\*\\*(\\d+\\.\\d+) ");
  private static final Pattern CITED =
      Pattern.compile("contracts\\.md\\s+((?:(?:,|to|and|\\*|//|#|\\s)*\\d+\\.\\d+)+)");
  private static final Pattern NUMBER = Pattern.compile("\\d+\\.\\d+");
  private static final Pattern DOCUMENT = Pattern.compile("(https?://)?\\w[\\w./-]*\\.md\\b");
  private static final Pattern ELSEWHERE =
      Pattern.compile("\\b(CONTRACTS|FINDINGS|DESIGN|USERS|CLUSTER|STYLE)(?=\\s*§|\\.md)");
  private static final Set<String> KINDS =
      Set.of("java", "ts", "tsx", "svelte", "py", "mjs", "js", "sh", "md", "xml", "yml", "yaml");
  private static final Set<String> NOT_OURS =
      Set.of("target", "node_modules", "build", "dist", "__pycache__", "resources", "samples");

  private static final List<Path> files = new ArrayList<>();
  private static final Set<String> documents = new HashSet<>();

  @BeforeAll
  static void list() throws IOException {
    Files.walkFileTree(
        ROOT,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
            String name = folder.getFileName().toString();
            boolean skip = NOT_OURS.contains(name) || name.startsWith(".");
            return skip && !folder.equals(ROOT)
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            String name = file.getFileName().toString();
            if (KINDS.contains(name.substring(name.lastIndexOf('.') + 1))
                && !name.equals("CitationsTest.java")) {
              files.add(file);
            }
            if (name.endsWith(".md")) {
              documents.add(name);
            }
            return FileVisitResult.CONTINUE;
          }
        });
  }

  @Test
  void everyRuleCitedIsInTheSpecification() throws IOException {
    Set<String> rules = new HashSet<>();
    Matcher rule = RULE.matcher(Files.readString(ROOT.resolve("docs/contracts.md")));
    while (rule.find()) {
      assertThat(rules.add(rule.group(1))).as("rule %s is there once", rule.group(1)).isTrue();
    }
    List<String> unknown = new ArrayList<>();
    for (Path file : files) {
      Matcher cited = CITED.matcher(Files.readString(file, UTF_8));
      while (cited.find()) {
        Matcher number = NUMBER.matcher(cited.group(1));
        while (number.find()) {
          if (!rules.contains(number.group())) {
            unknown.add(ROOT.relativize(file) + ": contracts.md " + number.group());
          }
        }
      }
    }
    assertThat(unknown).as("cited rules that are not in docs/contracts.md").isEmpty();
  }

  @Test
  void everyDocumentCitedIsInTheTree() throws IOException {
    List<String> unknown = new ArrayList<>();
    for (Path file : files) {
      String text = Files.readString(file, UTF_8);
      Matcher elsewhere = ELSEWHERE.matcher(text);
      while (elsewhere.find()) {
        unknown.add(ROOT.relativize(file) + ": " + elsewhere.group());
      }
      Matcher document = DOCUMENT.matcher(text);
      while (document.find()) {
        String name = document.group().substring(document.group().lastIndexOf('/') + 1);
        if (document.group(1) == null && !documents.contains(name)) {
          unknown.add(ROOT.relativize(file) + ": " + document.group());
        }
      }
    }
    assertThat(unknown).as("cited documents that are not in the tree").isEmpty();
  }
}
