package io.rollscope.cli.process;

import io.rollscope.cli.problem.Failure;
import io.rollscope.cli.remote.Api;
import io.rollscope.cli.remote.Trust;
import java.io.IOException;
import java.net.URI;
import java.util.Map;

/** Whether a server answers. */
final class Health {
  private Health() {}

  record Answer(String status) {}

  /** Whether something at this address answers as a Rollscope server does. */
  static boolean answers(String url, Trust trust) {
    try {
      return "ok"
          .equals(
              new Api(URI.create(url), null, trust)
                  .get("/healthz", Map.of(), Answer.class)
                  .status());
    } catch (IOException | Failure e) {
      return false;
    }
  }
}
