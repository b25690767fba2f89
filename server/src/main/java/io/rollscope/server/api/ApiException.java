package io.rollscope.server.api;

import com.linecorp.armeria.common.HttpStatus;
import java.time.Duration;
import java.util.Optional;

/** A question that gets no answer; becomes {@code {"error":{"code":…,"message":…}}}. */
final class ApiException extends Exception {
  private static final long serialVersionUID = 1L;

  private final transient HttpStatus status;
  private final String code;
  private final transient Duration retryAfter;

  ApiException(HttpStatus status, String code, String message) {
    this(status, code, message, null);
  }

  private ApiException(HttpStatus status, String code, String message, Duration retryAfter) {
    super(message, null, false, false);
    this.status = status;
    this.code = code;
    this.retryAfter = retryAfter;
  }

  static ApiException badRequest(String message) {
    return new ApiException(HttpStatus.BAD_REQUEST, "bad_request", message);
  }

  static ApiException notFound(String message) {
    return new ApiException(HttpStatus.NOT_FOUND, "not_found", message);
  }

  static ApiException forbidden(String message) {
    return new ApiException(HttpStatus.FORBIDDEN, "forbidden", message);
  }

  static ApiException busy(String message) {
    return new ApiException(HttpStatus.SERVICE_UNAVAILABLE, "busy", message);
  }

  /**
   * @param retryAfter null where that would not help
   */
  static ApiException unavailable(String message, Duration retryAfter) {
    return new ApiException(HttpStatus.SERVICE_UNAVAILABLE, "unavailable", message, retryAfter);
  }

  /** When to ask again. */
  Optional<Duration> retryAfter() {
    return Optional.ofNullable(retryAfter);
  }

  HttpStatus status() {
    return status;
  }

  String code() {
    return code;
  }
}
