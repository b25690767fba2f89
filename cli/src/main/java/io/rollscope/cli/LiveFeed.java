package io.rollscope.cli;

import io.rollscope.cli.terminal.LiveSource;
import io.rollscope.core.time.Nanos;
import io.rollscope.core.view.LiveBoard;
import io.rollscope.core.view.LiveReport;
import io.rollscope.core.view.Scope;
import io.rollscope.formats.folder.RunData;
import java.io.IOException;

/** A source being followed, as a sequence of live reports. */
final class LiveFeed implements LiveSource {
  private final OpenSource source;
  private final Scope scope;
  private RunData run;
  private LiveBoard board;

  LiveFeed(OpenSource source, Scope scope) {
    this.source = source;
    this.scope = scope;
    refresh();
  }

  @Override
  public boolean poll() throws IOException {
    boolean changed = source.poll();
    if (changed) {
      refresh();
    }
    return changed;
  }

  private void refresh() {
    RunData current = source.run();
    if (current != run) {
      run = current;
      board = new LiveBoard(run.table(), scope);
    } else {
      board.update();
    }
  }

  @Override
  public LiveReport report(int maxRows) {
    return board.report(source.context(), scope, Nanos.ofClock(), 0, maxRows);
  }
}
