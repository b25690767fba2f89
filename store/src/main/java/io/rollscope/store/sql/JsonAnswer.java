package io.rollscope.store.sql;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;

/** Writes an answer as {@code {"columns":…,"rows":…,"truncated":…}}, up to a number of bytes. */
final class JsonAnswer implements SqlRunner.Answer {
  /** An answer whose last row brings it beyond so many times its limit is refused. */
  static final int HARD_LIMIT = 2;

  private static final JsonFactory JSON = new JsonFactory();

  private final JsonGenerator json;
  private final Counted out;
  private final long mostBytes;

  /**
   * @param mostBytes after so many no row is taken; the last one is written as a whole
   */
  JsonAnswer(OutputStream out, long mostBytes) throws IOException {
    this.out = new Counted(out, HARD_LIMIT * mostBytes);
    this.json = JSON.createGenerator(this.out);
    this.mostBytes = mostBytes;
  }

  /** A single row is too long. */
  static final class TooLongException extends IOException {
    private static final long serialVersionUID = 1;

    TooLongException(long most) {
      super("sql: a row of more than " + most + " bytes (expected: less)");
    }
  }

  /** Counts what passes. */
  private static final class Counted extends FilterOutputStream {
    private final long most;
    private long bytes;

    Counted(OutputStream out, long most) {
      super(out);
      this.most = most;
    }

    @Override
    public void write(int b) throws IOException {
      count(1);
      out.write(b);
    }

    @Override
    public void write(byte[] b, int offset, int length) throws IOException {
      count(length);
      out.write(b, offset, length);
    }

    private void count(int more) throws TooLongException {
      bytes += more;
      if (bytes > most) {
        throw new TooLongException(most);
      }
    }
  }

  @Override
  public void columns(List<SqlColumn> columns) throws IOException {
    json.writeStartObject();
    json.writeArrayFieldStart("columns");
    for (SqlColumn column : columns) {
      json.writeStartObject();
      json.writeStringField("name", column.name());
      json.writeStringField("type", column.type());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeArrayFieldStart("rows");
  }

  @Override
  public boolean row(List<Object> cells) throws IOException {
    write(cells);
    return out.bytes < mostBytes;
  }

  @Override
  public void end(boolean truncated) throws IOException {
    json.writeEndArray();
    json.writeBooleanField("truncated", truncated);
    json.writeEndObject();
    json.flush();
  }

  private void write(Object value) throws IOException {
    if (value == null) {
      json.writeNull();
    } else if (value instanceof String text) {
      json.writeString(text);
    } else if (value instanceof Long number) {
      json.writeNumber(number);
    } else if (value instanceof Double number) {
      String text = Double.toString(number);
      json.writeNumber(text.indexOf('E') < 0 ? text : new BigDecimal(text).toPlainString());
    } else if (value instanceof BigDecimal number) {
      json.writeNumber(number.toPlainString());
    } else if (value instanceof Boolean truth) {
      json.writeBoolean(truth);
    } else if (value instanceof List<?> list) {
      json.writeStartArray();
      for (Object element : list) {
        write(element);
      }
      json.writeEndArray();
    } else if (value instanceof Map<?, ?> map) {
      json.writeStartObject();
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        json.writeFieldName(String.valueOf(entry.getKey()));
        write(entry.getValue());
      }
      json.writeEndObject();
    } else {
      throw new IllegalStateException(value.getClass().getName());
    }
  }
}
