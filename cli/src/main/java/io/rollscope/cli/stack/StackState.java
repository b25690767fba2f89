package io.rollscope.cli.stack;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.rollscope.cli.process.ProcessIdentity;
import io.rollscope.cli.remote.JsonRecords;
import io.rollscope.cli.render.JsonReport;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Optional;

/**
 * What runs, as the file says that {@code stack start} leaves for {@code status} and {@code stop}.
 *
 * @param parts in the order they were started
 */
public record StackState(List<Running> parts) {

  /**
   * A process of the stack.
   *
   * @param processStart when it began; see {@link ProcessIdentity}
   */
  public record Running(String name, long pid, String processStart, String url, String log) {
    Optional<ProcessHandle> process() {
      return new ProcessIdentity(pid, processStart).find();
    }
  }

  /** An unreadable file says nothing. */
  static StackState read(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return JsonRecords.read(in, StackState.class);
    } catch (NoSuchFileException e) {
      return new StackState(List.of());
    } catch (JsonProcessingException e) {
      return new StackState(List.of());
    }
  }

  void write(Path file) throws IOException {
    ByteArrayOutputStream json = new ByteArrayOutputStream();
    JsonReport.write(this, json);
    Path fresh = file.resolveSibling(file.getFileName() + ".new");
    Files.write(fresh, json.toByteArray());
    Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
  }
}
