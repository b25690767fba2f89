package io.rollscope.server;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.ssl.AbstractSniHandler;
import io.netty.handler.ssl.SslHandler;
import java.util.Locale;

/**
 * Reads the heads of HTTP/1 requests before netty's decoder does, and refuses those whose body two
 * readers may end at different places: netty takes them and removes the header that would show it.
 */
final class RequestHeads extends ChannelInboundHandlerAdapter {
  private static final int MAX_LINE = 256;
  private static final int MAX_HEX_DIGITS = 8;

  private enum Place {
    REQUEST_LINE,
    HEADERS,
    BODY,
    CHUNK_SIZE,
    CHUNK,
    CHUNK_END,
    TRAILERS,
    /** The decoder will refuse it, or it is no HTTP/1. */
    NOT_OURS,
    REFUSED
  }

  private final StringBuilder line = new StringBuilder();
  private Place place = Place.REQUEST_LINE;
  private long left;
  private boolean lineTooLong;
  private boolean http10;
  private String transferEncoding;
  private String contentLength;
  private boolean framing;

  /** Where bytes are encrypted there is nothing to read. */
  static void addTo(ChannelPipeline pipeline) {
    boolean plain =
        pipeline.get(SslHandler.class) == null && pipeline.get(AbstractSniHandler.class) == null;
    if (plain) {
      pipeline.addFirst(new RequestHeads());
    }
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) throws Exception {
    String wrong = message instanceof ByteBuf bytes ? read(bytes) : null;
    if (place == Place.REFUSED) {
      ((ByteBuf) message).release();
      if (wrong != null) {
        refuse(ctx, wrong);
      }
      return;
    }
    if (place == Place.NOT_OURS) {
      ctx.pipeline().remove(this);
    }
    ctx.fireChannelRead(message);
  }

  private static void refuse(ChannelHandlerContext ctx, String wrong) {
    String text = wrong + "\n";
    String answer =
        String.join(
            "\r\n",
            "HTTP/1.1 400 Bad Request",
            "content-type: text/plain; charset=utf-8",
            "content-length: " + text.length(),
            "connection: close",
            "",
            text);
    var unused =
        ctx.writeAndFlush(Unpooled.copiedBuffer(answer, US_ASCII))
            .addListener(ChannelFutureListener.CLOSE);
  }

  /** Looks at bytes without taking them; returns what is wrong, or null. */
  private String read(ByteBuf bytes) {
    int at = bytes.readerIndex();
    int end = bytes.writerIndex();
    while (at < end && place != Place.NOT_OURS && place != Place.REFUSED) {
      if (place == Place.BODY || place == Place.CHUNK) {
        long step = Math.min(left, end - at);
        at += (int) step;
        left -= step;
        if (left == 0) {
          place = place == Place.BODY ? Place.REQUEST_LINE : Place.CHUNK_END;
        }
        continue;
      }
      byte next = bytes.getByte(at++);
      if (next != '\n') {
        keep((char) (next & 0xff));
        continue;
      }
      String wrong = endLine();
      if (wrong != null) {
        place = Place.REFUSED;
        return wrong;
      }
    }
    return null;
  }

  private void keep(char next) {
    if (line.length() < MAX_LINE) {
      line.append(next);
    } else {
      lineTooLong = true;
    }
  }

  private String endLine() {
    String text = line.toString();
    if (text.endsWith("\r")) {
      text = text.substring(0, text.length() - 1);
    }
    line.setLength(0);
    boolean cut = lineTooLong;
    lineTooLong = false;
    switch (place) {
      case REQUEST_LINE -> beginHead(text);
      case HEADERS -> {
        return text.isEmpty() ? endHead() : header(text, cut);
      }
      case CHUNK_SIZE -> beginChunk(text);
      case CHUNK_END -> place = text.isEmpty() ? Place.CHUNK_SIZE : Place.NOT_OURS;
      case TRAILERS -> place = text.isEmpty() ? Place.REQUEST_LINE : Place.TRAILERS;
      default -> throw new IllegalStateException(place.name());
    }
    return null;
  }

  private void beginHead(String text) {
    if (text.isBlank()) {
      return; // Allowed before a request.
    }
    transferEncoding = null;
    contentLength = null;
    framing = false;
    http10 = text.endsWith("HTTP/1.0");
    place = text.startsWith("PRI * HTTP/2") ? Place.NOT_OURS : Place.HEADERS;
  }

  private String header(String text, boolean cut) {
    if (text.charAt(0) == ' ' || text.charAt(0) == '\t') {
      return framing ? "header: folded (expected: one line)" : null;
    }
    int colon = text.indexOf(':');
    String name = (colon < 0 ? text : text.substring(0, colon)).strip().toLowerCase(Locale.ROOT);
    String value = colon < 0 ? "" : text.substring(colon + 1).strip();
    framing = name.equals("transfer-encoding") || name.equals("content-length");
    if (name.equals("transfer-encoding")) {
      transferEncoding = transferEncoding == null ? value : transferEncoding + ", " + value;
    } else if (name.equals("content-length")) {
      contentLength = value;
    }
    return framing && cut ? name + ": too long (expected: one value)" : null;
  }

  private String endHead() {
    if (transferEncoding != null) {
      if (contentLength != null) {
        return "Content-Length and Transfer-Encoding: both (expected: one of them)";
      }
      if (http10 || !transferEncoding.equalsIgnoreCase("chunked")) {
        return "Transfer-Encoding: not what this server takes (expected: chunked, over HTTP/1.1)";
      }
      place = Place.CHUNK_SIZE;
    } else if (contentLength == null) {
      place = Place.REQUEST_LINE;
    } else if (contentLength.matches("\\d{1,18}")) {
      left = Long.parseLong(contentLength);
      place = left == 0 ? Place.REQUEST_LINE : Place.BODY;
    } else {
      place = Place.NOT_OURS;
    }
    return null;
  }

  private void beginChunk(String text) {
    int extension = text.indexOf(';');
    String size = (extension < 0 ? text : text.substring(0, extension)).strip();
    if (!size.matches("[0-9a-fA-F]{1," + MAX_HEX_DIGITS + "}")) {
      place = Place.NOT_OURS;
      return;
    }
    left = Long.parseLong(size, 16);
    place = left == 0 ? Place.TRAILERS : Place.CHUNK;
  }
}
