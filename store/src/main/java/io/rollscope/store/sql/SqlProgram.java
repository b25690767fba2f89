package io.rollscope.store.sql;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.duckdb.DuckDBDriver;

/**
 * Starts {@link SqlChild} on the jars of this process. DuckDB's jar would unpack its library, 60
 * MB, at every start and leave it behind when killed: it is unpacked here once, beside a copy of
 * the jar without it.
 */
final class SqlProgram {
  /**
   * Processor time of a whole process; a query of 30 s on two threads takes 60 s, and a process
   * that has used half of it gets no further query.
   */
  static final int CPU_SECONDS = 240;

  private static final int DESCRIPTORS = 4_096;
  private static final Path MAPS = Path.of("/proc/self/maps");

  /** Nothing of ours is in the environment that a query might find. */
  private static final Set<String> ENVIRONMENT =
      Set.of("PATH", "LANG", "LC_ALL", "LC_CTYPE", "LD_LIBRARY_PATH", "TZ");

  /** Of two systems that are out of memory, the one that ends this process first is right. */
  private static final String SHELL =
      "ulimit -t "
          + CPU_SECONDS
          + "; ulimit -n "
          + DESCRIPTORS
          + " 2>/dev/null; ulimit -c 0;"
          + " { echo 1000 >/proc/self/oom_score_adj; } 2>/dev/null; exec \"$@\"";

  /** Where the program is to be. */
  @FunctionalInterface
  interface Place {
    Path folder() throws SQLException;
  }

  private final Place place;
  private Path folder;
  private List<String> classPath;

  /**
   * @param place asked when it is needed
   */
  SqlProgram(Place place) {
    this.place = place;
  }

  synchronized Process start() throws IOException {
    if (classPath == null) {
      classPath = prepare();
    }
    List<String> command =
        new ArrayList<>(
            List.of(
                "/bin/sh",
                "-c",
                SHELL,
                "rollscope-sql",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:-UsePerfData",
                "-Xshare:auto",
                "-XX:+DisplayVMOutputToStderr",
                "-XX:-CreateCoredumpOnCrash",
                "-XX:ErrorFile=/dev/null",
                "-Djava.io.tmpdir=" + folder,
                "-Djava.library.path=" + folder,
                "-cp",
                String.join(File.pathSeparator, classPath),
                SqlChild.class.getName()));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.directory(folder.toFile());
    builder.redirectError(ProcessBuilder.Redirect.DISCARD);
    Map<String, String> environment = builder.environment();
    environment.keySet().retainAll(ENVIRONMENT);
    return builder.start();
  }

  private List<String> prepare() throws IOException {
    Path classes;
    try (JarFile jar = new JarFile(jarOf(DuckDBDriver.class).toFile())) {
      folder = unpackLibrary(jar);
      classes = folder.resolve("duckdb.jar");
      copyClasses(jar, classes);
    } catch (SQLException e) {
      throw new IOException(e.getMessage(), e);
    }
    Stream<Path> own =
        Stream.of(SqlChild.class, ObjectMapper.class, JsonFactory.class, JsonInclude.class)
            .map(SqlProgram::jarOf);
    return Stream.concat(own, Stream.of(classes))
        .map(Path::toString)
        .distinct()
        .collect(Collectors.toList());
  }

  private static void copyClasses(JarFile jar, Path to) throws IOException {
    try (OutputStream file = Files.newOutputStream(to);
        JarOutputStream out = new JarOutputStream(file)) {
      out.setLevel(0);
      for (Enumeration<JarEntry> all = jar.entries(); all.hasMoreElements(); ) {
        JarEntry entry = all.nextElement();
        if (entry.getName().endsWith(".class")
            || entry.getName().startsWith("META-INF/services/")) {
          out.putNextEntry(new JarEntry(entry.getName()));
          try (InputStream in = jar.getInputStream(entry)) {
            in.transferTo(out);
          }
          out.closeEntry();
        }
      }
    }
  }

  /**
   * The folder it is in: that of the data where a link will do, else a temporary one, because the
   * disk of the data may have no room for 60 MB.
   */
  private Path unpackLibrary(JarFile jar) throws IOException, SQLException {
    String os = System.getProperty("os.name").toLowerCase(Locale.ROOT);
    String arch = System.getProperty("os.arch").toLowerCase(Locale.ROOT);
    String name =
        os.startsWith("mac")
            ? "osx_universal"
            : "linux_" + (arch.equals("aarch64") || arch.equals("arm64") ? "arm64" : "amd64");
    JarEntry entry = jar.getJarEntry("libduckdb_java.so_" + name);
    if (entry == null) {
      throw new IOException("DuckDB: no library for " + os + " " + arch + " in " + jar.getName());
    }
    String library = System.mapLibraryName("duckdb_java");
    Optional<Path> unpacked = loaded(entry.getSize());
    Path beside = place.folder().toAbsolutePath();
    if (unpacked.isPresent() && isLinked(unpacked.get(), beside.resolve(library))) {
      return beside;
    }
    Path apart = Files.createTempDirectory("rollscope-sql-");
    for (Path file : List.of(apart, apart.resolve(library), apart.resolve("duckdb.jar"))) {
      file.toFile().deleteOnExit();
    }
    if (unpacked.isEmpty() || !isLinked(unpacked.get(), apart.resolve(library))) {
      try (InputStream in = jar.getInputStream(entry)) {
        Files.copy(in, apart.resolve(library));
      }
    }
    return apart;
  }

  /** The copy that this process itself runs on, where the system says so: it is unpacked. */
  private static Optional<Path> loaded(long size) throws IOException {
    if (!Files.isReadable(MAPS)) {
      return Optional.empty();
    }
    try (Stream<String> lines = Files.lines(MAPS)) {
      return lines
          .filter(line -> line.contains("libduckdb_java"))
          .map(line -> Path.of(line.substring(line.indexOf('/'))))
          .filter(file -> file.toFile().length() == size)
          .findFirst();
    }
  }

  private static boolean isLinked(Path from, Path to) {
    try {
      Files.deleteIfExists(to);
      Files.createLink(to, from);
      return true;
    } catch (IOException | UnsupportedOperationException e) {
      return false; // Another file system, one without links, or somebody has removed it.
    }
  }

  private static Path jarOf(Class<?> type) {
    CodeSource source = type.getProtectionDomain().getCodeSource();
    try {
      return Path.of(source.getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException("class path: " + source.getLocation(), e);
    }
  }
}
