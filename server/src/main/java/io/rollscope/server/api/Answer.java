package io.rollscope.server.api;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.common.ResponseHeadersBuilder;
import io.rollscope.server.receive.Refusal;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.zip.CRC32C;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

/** Bytes as an HTTP answer: entity tag, gzip, HEAD. */
final class Answer {
  private static final int WORTH_COMPRESSING = 1_000;

  private Answer() {}

  static HttpResponse json(RequestHeaders request, Object value) {
    return of(request, MediaType.JSON, Json.bytes(value), null);
  }

  /**
   * @param tag entity tag, or null to make one of the content
   */
  static HttpResponse of(RequestHeaders request, MediaType type, byte[] body, String tag) {
    String etag = tag == null ? tagOf(body) : tag;
    ResponseHeadersBuilder headers =
        ResponseHeaders.builder(HttpStatus.OK)
            .contentType(type)
            .add(HttpHeaderNames.ETAG, etag)
            .add(HttpHeaderNames.CACHE_CONTROL, "private, no-cache")
            .add(HttpHeaderNames.VARY, "Accept-Encoding");
    if (matches(request, etag)) {
      return notModified(etag);
    }
    byte[] content = body;
    if (body.length >= WORTH_COMPRESSING && acceptsGzip(request)) {
      content = gzip(body);
      headers.add(HttpHeaderNames.CONTENT_ENCODING, "gzip");
    }
    headers.contentLength(content.length);
    return request.method() == HttpMethod.HEAD
        ? HttpResponse.of(headers.endOfStream(true).build())
        : HttpResponse.of(headers.build(), HttpData.wrap(content));
  }

  /** A file to be saved under a name of plain letters. */
  static HttpResponse download(RequestHeaders request, String name, byte[] json) {
    return of(request, MediaType.JSON, json, null)
        .mapHeaders(
            headers ->
                headers.toBuilder()
                    .set(
                        HttpHeaderNames.CONTENT_DISPOSITION,
                        "attachment; filename=\"" + name + "\"")
                    .build());
  }

  static HttpResponse notModified(String etag) {
    return HttpResponse.of(
        ResponseHeaders.builder(HttpStatus.NOT_MODIFIED)
            .add(HttpHeaderNames.ETAG, etag)
            .add(HttpHeaderNames.CACHE_CONTROL, "private, no-cache")
            .add(HttpHeaderNames.VARY, "Accept-Encoding")
            .build());
  }

  static boolean matches(RequestHeaders request, String etag) {
    String known = request.get(HttpHeaderNames.IF_NONE_MATCH);
    return known != null
        && Arrays.stream(known.split(","))
            .map(String::strip)
            .anyMatch(tag -> tag.equals("*") || tag.equals(etag));
  }

  static HttpResponse error(HttpStatus status, String code, String message) {
    return HttpResponse.of(errorHeaders(status).build(), HttpData.wrap(errorBody(code, message)));
  }

  static HttpResponse error(ApiException failure) {
    ResponseHeadersBuilder headers = errorHeaders(failure.status());
    failure
        .retryAfter()
        .ifPresent(wait -> headers.addLong(HttpHeaderNames.RETRY_AFTER, wait.toSeconds()));
    return HttpResponse.of(
        headers.build(), HttpData.wrap(errorBody(failure.code(), failure.getMessage())));
  }

  private static ResponseHeadersBuilder errorHeaders(HttpStatus status) {
    return ResponseHeaders.builder(status)
        .contentType(MediaType.JSON)
        .add(HttpHeaderNames.CACHE_CONTROL, "no-store");
  }

  private static byte[] errorBody(String code, String message) {
    return Json.bytes(Map.of("error", new Problem(code, message)));
  }

  /** What a guard refuses, in the API's words. */
  static HttpResponse refusal(RequestHeaders request, Refusal refusal) {
    HttpStatus status = HttpStatus.valueOf(refusal.why().httpStatus());
    ResponseHeadersBuilder headers = errorHeaders(status);
    switch (refusal.why()) {
      case WRONG_METHOD -> headers.add(HttpHeaderNames.ALLOW, "POST");
      case UNAUTHENTICATED ->
          headers.add(HttpHeaderNames.WWW_AUTHENTICATE, "Bearer realm=\"rollscope\"");
      default -> {}
    }
    String code =
        switch (refusal.why()) {
          case MALFORMED -> "bad_request";
          case WRONG_METHOD -> "method_not_allowed";
          default -> refusal.why().name().toLowerCase(Locale.ROOT);
        };
    return HttpResponse.of(headers.build(), HttpData.wrap(errorBody(code, refusal.message())));
  }

  record Problem(String code, String message) {}

  private static boolean acceptsGzip(RequestHeaders request) {
    String accepted = request.get(HttpHeaderNames.ACCEPT_ENCODING, "").toLowerCase(Locale.ROOT);
    return Arrays.stream(accepted.split(","))
        .map(part -> part.replace(" ", ""))
        .anyMatch(part -> part.equals("gzip") || (part.startsWith("gzip;") && !isZero(part)));
  }

  private static boolean isZero(String part) {
    return part.matches(".*;q=0(\\.0*)?");
  }

  private static byte[] gzip(byte[] body) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(body.length / 4);
    try (GZIPOutputStream gzip = new FastGzip(out)) {
      gzip.write(body);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }

  /** The fastest level: answers are written once and read once. */
  private static final class FastGzip extends GZIPOutputStream {
    FastGzip(ByteArrayOutputStream out) throws IOException {
      super(out, 8192);
      def.setLevel(Deflater.BEST_SPEED);
    }
  }

  private static String tagOf(byte[] body) {
    CRC32C crc = new CRC32C();
    crc.update(body);
    return "W/\"" + Long.toHexString(crc.getValue()) + "-" + Arrays.hashCode(body) + "\"";
  }
}
