package io.rollscope.server.api;

import com.linecorp.armeria.common.HttpStatus;

/** A question that gets no answer; becomes {@code {"error":{"code":…,"message":…}}}. */
final class ApiException extends Exception {
  private static final long serialVersionUID = 1L;

  private final transient HttpStatus status;
  private final String code;

  ApiException(HttpStatus status, String code, String message) {
    super(message, null, false, false);
    this.status = status;
    this.code = code;
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

  HttpStatus status() {
    return status;
  }

  String code() {
    return code;
  }
}
