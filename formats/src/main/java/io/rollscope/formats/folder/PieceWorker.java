package io.rollscope.formats.folder;

import io.rollscope.formats.scan.Skipped;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/** Reads one piece after another; keeps its parsers, whose words stay valid between pieces. */
final class PieceWorker {
  private record ParserKey(TraceFormat format, String run) {}

  private final Map<ParserKey, LineParser> parsers = new HashMap<>();
  private final LineSplitter splitter = new LineSplitter();
  private LineParser parser;
  private IOException failure;

  void read(Pieces.Piece<TraceFile> piece, boolean complete) {
    TraceFile file = piece.file();
    failure = null;
    parser =
        parsers.computeIfAbsent(
            new ParserKey(file.format(), file.run()), k -> file.format().newParser());
    parser.begin(file);
    try (ByteSource source = piece.open()) {
      splitter.read(
          source,
          file.label(),
          parser,
          piece.from(),
          piece.to(),
          piece.first(),
          piece.fileEnd(),
          complete);
      failure = piece.chunk() == null ? null : piece.chunk().failure();
    } catch (IOException e) {
      failure = e;
    }
  }

  LineParser parser() {
    return parser;
  }

  Skipped skipped() {
    return splitter.skipped();
  }

  long lines() {
    return splitter.lines();
  }

  long consumedTo() {
    return splitter.consumedTo();
  }

  boolean withinLongLine() {
    return splitter.withinLongLine();
  }

  /** Why the piece could not be read to its end, or null. */
  IOException failure() {
    return failure;
  }
}
