package io.rollscope.cli;

import io.rollscope.cli.problem.WrongUsage;
import io.rollscope.core.view.Scope;
import picocli.CommandLine.Option;

/** Which part of a run is looked at. */
final class ScopeOptions {
  @Option(
      names = "--scope",
      paramLabel = "SCOPE",
      description =
          "active: unfinished sessions and the batch with the newest event (default); latest: the"
              + " batch with the highest step, as XTuner does; all.")
  String scope;

  @Option(names = "--batch", paramLabel = "ID", description = "Only events of this batch.")
  String batch;

  Scope scope() {
    return of(scope, batch, Scope.ACTIVE);
  }

  /** What the two options say together; {@code usual} if neither says anything. */
  static Scope of(String scope, String batch, Scope usual) {
    if (batch != null && scope != null) {
      throw new WrongUsage("--batch", batch, "either --batch or --scope");
    }
    if (batch != null) {
      return Scope.ofBatch(batch);
    }
    try {
      return scope == null ? usual : Scope.named(scope);
    } catch (IllegalArgumentException e) {
      throw new WrongUsage("--scope", scope, "active, latest or all");
    }
  }
}
