package io.rollscope.store.sql;

import io.rollscope.store.sql.SqlFrames.Frame;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.SynchronousQueue;
import org.duckdb.DuckDBConnection;

/**
 * The process that runs users' SQL, one query after the other. It ends as soon as its standard
 * input does, which is when the server ends, however that comes about.
 */
final class SqlChild {
  /** Exit code. */
  static final int OUT_OF_MEMORY = 3;

  private final DataOutputStream out;
  private final SynchronousQueue<Frame> frames = new SynchronousQueue<>();
  private DuckDBConnection root;
  private int limitSeconds;
  private List<Path> folders = List.of();

  private SqlChild(DataOutputStream out) {
    this.out = out;
  }

  public static void main(String[] args) throws Exception {
    FileOutputStream stdout = new FileOutputStream(FileDescriptor.out);
    System.setOut(System.err); // Standard output is for frames alone.
    SqlChild child =
        new SqlChild(new DataOutputStream(new BufferedOutputStream(stdout, 128 << 10)));
    Thread reader = new Thread(child::read, "rollscope-sql-input");
    reader.setDaemon(true);
    reader.start();
    try {
      child.serve();
    } catch (OutOfMemoryError e) {
      Runtime.getRuntime().halt(OUT_OF_MEMORY);
    }
  }

  /** Also while a query runs: nobody waits for its answer any more when this ends. */
  private void read() {
    try {
      DataInputStream in = new DataInputStream(new FileInputStream(FileDescriptor.in));
      while (true) {
        frames.put(SqlFrames.read(in, SqlFrames.MAX_REQUEST));
      }
    } catch (IOException | InterruptedException e) {
      Runtime.getRuntime().halt(0);
    }
  }

  private void serve() throws SQLException, IOException, InterruptedException {
    start(List.of(frames.take().text().split("\0")));
    SqlFrames.write(out, SqlFrames.READY, SqlFrames.VERSION);
    out.flush();
    while (true) {
      long mostBytes = Long.parseLong(frames.take().text());
      String views = frames.take().text();
      String select = frames.take().text();
      answer(views, select, mostBytes);
      out.flush();
    }
  }

  private void start(List<String> settings) throws SQLException {
    limitSeconds = Integer.parseInt(settings.get(0));
    folders = settings.stream().skip(1).map(Path::of).toList();
    root = (DuckDBConnection) DriverManager.getConnection("jdbc:duckdb:");
    try (Statement statement = root.createStatement()) {
      statement.execute("SET GLOBAL parquet_metadata_cache = true");
    }
    SqlSandbox.lock(root, folders);
  }

  /** Each query has a connection, and so views, of its own. */
  private void answer(String views, String select, long mostBytes)
      throws SQLException, IOException {
    try (Connection connection = root.duplicate()) {
      try (Statement statement = connection.createStatement()) {
        statement.execute(views);
      }
      new SqlRunner(connection, limitSeconds)
          .run(select, new JsonAnswer(new SqlFrames.Data(out), mostBytes));
      SqlFrames.write(out, SqlFrames.END, "");
    } catch (SqlRefusedException | JsonAnswer.TooLongException e) {
      SqlFrames.write(out, SqlFrames.REFUSED, shown(e.getMessage()));
    } catch (SQLTimeoutException e) {
      SqlFrames.write(out, SqlFrames.TIMEOUT, shown(e.getMessage()));
    } catch (SQLException e) {
      SqlFrames.write(out, SqlFrames.FAILED, shown(String.valueOf(e.getMessage())));
    }
  }

  /** Where the data is, is nobody's business. */
  private String shown(String message) {
    String text = message;
    for (Path folder : folders) {
      text = text.replace(folder.toString(), "…");
    }
    return text.length() > 4_000 ? text.substring(0, 4_000) : text;
  }
}
