package io.rollscope.cli.process;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.rollscope.cli.remote.JsonRecords;
import io.rollscope.cli.remote.Trust;
import io.rollscope.cli.render.JsonReport;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;

/**
 * What a running server writes into its data folder, so that other commands find it.
 *
 * @param pid of the server
 * @param processStart when that process began; see {@link ProcessIdentity}
 * @param otlpGrpc {@code host:port}
 * @param certificate file with the certificate it shows; null without TLS
 * @param tokenFile file with the token it wants to see; null when it wants none
 */
public record ServerState(
    long pid,
    String processStart,
    String url,
    String otlpHttp,
    String otlpGrpc,
    String version,
    String certificate,
    String tokenFile) {

  /** What the folder says, or nothing when it says nothing that can be read. */
  public static Optional<ServerState> read(DataFolder folder) throws IOException {
    if (!Files.isRegularFile(folder.state())) {
      return Optional.empty();
    }
    try (InputStream in = Files.newInputStream(folder.state())) {
      ServerState state = JsonRecords.read(in, ServerState.class);
      boolean complete = state.url != null && state.otlpHttp != null && state.processStart != null;
      return complete ? Optional.of(state) : Optional.empty();
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (JsonProcessingException e) {
      return Optional.empty();
    }
  }

  /** The folder's server, if its process still lives. */
  public static Optional<ServerState> ofLiving(DataFolder folder) throws IOException {
    return read(folder).filter(state -> state.process().isPresent());
  }

  /** Its process, if that still lives and is no other with the same pid. */
  public Optional<ProcessHandle> process() {
    return new ProcessIdentity(pid, processStart).find();
  }

  /** Whether it answers. */
  public boolean answers() {
    return Health.answers(url, trust());
  }

  /** Who asks it from this machine believes the certificate it was started with. */
  public Trust trust() {
    return certificate == null ? Trust.USUAL : Trust.exactly(Path.of(certificate));
  }

  /** Writes it so that a reader finds the old file or the new one. */
  public void write(DataFolder folder) throws IOException {
    ByteArrayOutputStream json = new ByteArrayOutputStream();
    JsonReport.write(this, json);
    Path fresh = folder.path().resolve("server.json.new");
    Files.deleteIfExists(fresh);
    PrivateFiles.create(fresh);
    Files.write(fresh, json.toByteArray());
    Files.move(fresh, folder.state(), StandardCopyOption.ATOMIC_MOVE);
  }

  /** Takes this server's file away, but no other's. */
  public void remove(DataFolder folder) throws IOException {
    if (read(folder).filter(this::equals).isPresent()) {
      Files.deleteIfExists(folder.state());
    }
  }
}
