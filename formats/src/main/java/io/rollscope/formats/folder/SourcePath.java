package io.rollscope.formats.folder;

import io.rollscope.formats.compressed.Compression;
import io.rollscope.formats.scan.Skipped;
import java.io.IOException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.FileSystems;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * What a user named as source: a folder (with its sub-folders), a file (with the older pieces it
 * was rotated into) or a glob.
 */
public final class SourcePath {
  private static final Pattern TRACE_LINES =
      Pattern.compile(".*\\.jsonl(\\.\\d+)?(" + Compression.SUFFIXES + ")?", Pattern.DOTALL);
  private static final Pattern COMPRESSED =
      Pattern.compile("(.*)" + Compression.SUFFIXES, Pattern.DOTALL);
  private static final Pattern GLOB = Pattern.compile("[*?\\[{]");
  private static final int MAX_DEPTH = 32;

  /** Links beside each other can make more paths to a folder than anybody could follow. */
  private static final int MAX_WAYS = 8;

  static final String NOT_REGULAR = "not a regular file (expected: one)";
  private static final String TOO_MANY_WAYS =
      "links lead here on more than " + MAX_WAYS + " ways (expected: fewer); not all are followed";
  private static final String BACK_UP =
      "a link that leads back to a folder above it (expected: none)";
  private static final String NOWHERE = "a link that leads nowhere (expected: to a regular file)";

  private final String text;
  private final List<SourcePath> others;

  public SourcePath(String text) {
    this(text, List.of());
  }

  private SourcePath(String text, List<SourcePath> others) {
    this.text = text;
    this.others = others;
  }

  /** Several at once: an unquoted glob reaches us as the files it matched. */
  public static SourcePath of(List<String> texts) {
    return new SourcePath(
        texts.get(0), texts.subList(1, texts.size()).stream().map(SourcePath::new).toList());
  }

  @Override
  public String toString() {
    return text;
  }

  /** Whether there is such a file or folder, or it is a glob. */
  public boolean exists() {
    // An empty text is an unset variable, not the folder one happens to be in.
    boolean here = !text.isEmpty() && (Files.exists(plain()) || GLOB.matcher(text).find());
    return here && others.stream().allMatch(SourcePath::exists);
  }

  /** Whether it is one file. */
  public boolean isFile() {
    return Files.isRegularFile(plain());
  }

  /** As a path; for a glob the folder above its first wildcard. */
  public Path folder() {
    Path path = plain();
    if (Files.isDirectory(path)) {
      return path;
    }
    if (Files.exists(path)) {
      return parent(path);
    }
    Path literal = Path.of("");
    Path wildcard = Path.of(text);
    if (wildcard.isAbsolute()) {
      literal = wildcard.getRoot();
    }
    for (Path part : wildcard) {
      if (GLOB.matcher(part.toString()).find()) {
        break;
      }
      literal = literal.resolve(part);
    }
    return Files.isDirectory(literal) ? literal : parent(literal);
  }

  private Path plain() {
    try {
      return Path.of(text);
    } catch (InvalidPathException e) {
      throw new IllegalArgumentException(
          "source: " + text.replace('\0', '?') + " (expected: a path)", e);
    }
  }

  private static Path parent(Path path) {
    Path parent = path.toAbsolutePath().getParent();
    return parent == null ? path : parent;
  }

  /** The files, sorted by path; what could not be looked into is added to {@code skipped}. */
  public List<Path> files(Skipped skipped) throws IOException {
    if (others.isEmpty()) {
      return eachOnce(ownFiles(skipped));
    }
    TreeSet<Path> all = new TreeSet<>(ownFiles(skipped));
    for (SourcePath other : others) {
      all.addAll(other.ownFiles(skipped));
    }
    return eachOnce(all);
  }

  /** While a file is being compressed, and after {@code gzip -k}, it is there twice. */
  private static List<Path> eachOnce(Collection<Path> files) {
    Set<Path> all = new HashSet<>(files);
    return files.stream().filter(file -> !all.contains(uncompressed(file))).toList();
  }

  /** What a compressed file is called without its compression; null if it is not called so. */
  private static Path uncompressed(Path file) {
    Matcher name = COMPRESSED.matcher(file.getFileName().toString());
    return name.matches() ? file.resolveSibling(name.group(1)) : null;
  }

  private List<Path> ownFiles(Skipped skipped) throws IOException {
    Path path = plain();
    if (Files.isDirectory(path)) {
      return walk(path, skipped, p -> TRACE_LINES.matcher(p.getFileName().toString()).matches());
    }
    if (Files.isRegularFile(path)) {
      return withRotatedPieces(path);
    }
    if (Files.exists(path)) {
      skipped.add(path.toString(), 0, NOT_REGULAR); // A pipe would have to be waited for.
      return List.of();
    }
    if (!GLOB.matcher(text).find()) {
      return List.of(); // Nothing to search for, perhaps through a whole disk.
    }
    String glob = Path.of(text).toAbsolutePath().normalize().toString();
    PathMatcher below = matcher(glob);
    // As people know it from shells and Python, "**/" also stands for no folder at all.
    PathMatcher here = matcher(glob.replace("**/", ""));
    return walk(
        folder(),
        skipped,
        p -> {
          Path whole = p.toAbsolutePath().normalize();
          return below.matches(whole) || here.matches(whole);
        });
  }

  private PathMatcher matcher(String glob) {
    try {
      return FileSystems.getDefault().getPathMatcher("glob:" + glob);
    } catch (PatternSyntaxException e) {
      throw new IllegalArgumentException(
          "source: " + text + " (expected: a file, a folder or a valid glob)", e);
    }
  }

  /**
   * {@code traces.jsonl} was rotated into {@code traces-2026-….jsonl} or {@code traces.jsonl.1}.
   */
  private static List<Path> withRotatedPieces(Path file) throws IOException {
    String name = file.getFileName().toString();
    int dot = name.lastIndexOf('.');
    if (dot <= 0 || !name.endsWith(".jsonl")) {
      return List.of(file);
    }
    String stem = Pattern.quote(name.substring(0, dot));
    Pattern piece =
        Pattern.compile(
            "(%1$s-\\d{4}-\\d{2}-\\d{2}T[\\d.-]+\\.jsonl|%1$s\\.jsonl\\.\\d+)(%2$s)?"
                .formatted(stem, Compression.SUFFIXES));
    List<Path> files = new ArrayList<>();
    try (var siblings = Files.newDirectoryStream(parent(file))) {
      for (Path sibling : siblings) {
        if (piece.matcher(sibling.getFileName().toString()).matches()
            && Files.isRegularFile(sibling)) {
          files.add(sibling);
        }
      }
    }
    files.sort(Comparator.naturalOrder());
    files.add(file);
    return files;
  }

  private static List<Path> walk(
      Path root, Skipped skipped, java.util.function.Predicate<Path> wanted) throws IOException {
    List<Path> found = new ArrayList<>();
    Path realRoot = root.toRealPath();
    Map<Object, Integer> ways = new HashMap<>();
    Files.walkFileTree(
        root,
        EnumSet.of(FileVisitOption.FOLLOW_LINKS),
        MAX_DEPTH,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes)
              throws IOException {
            if (folder.equals(root)) {
              return FileVisitResult.CONTINUE;
            }
            if (Files.isSymbolicLink(folder) && realRoot.startsWith(folder.toRealPath())) {
              skipped.add(folder.toString(), 0, BACK_UP);
              return FileVisitResult.SKIP_SUBTREE;
            }
            Object key = attributes.fileKey() == null ? folder : attributes.fileKey();
            int way = ways.merge(key, 1, Integer::sum);
            if (way == MAX_WAYS + 1) {
              skipped.add(folder.toString(), 0, TOO_MANY_WAYS);
            }
            return way > MAX_WAYS ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (wanted.test(file)) {
              if (attributes.isRegularFile()) {
                found.add(file);
              } else {
                boolean link = attributes.isSymbolicLink(); // otherwise it would be its target
                skipped.add(file.toString(), 0, link ? NOWHERE : NOT_REGULAR);
              }
            }
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException e) {
            String reason = e instanceof FileSystemLoopException ? BACK_UP : FolderReader.reason(e);
            // What is in a folder that cannot be opened is not known: it may be traces.
            if (Files.isDirectory(file) || wanted.test(file)) {
              skipped.add(file.toString(), 0, reason);
            }
            return FileVisitResult.CONTINUE;
          }
        });
    found.sort(Comparator.naturalOrder());
    return found;
  }
}
