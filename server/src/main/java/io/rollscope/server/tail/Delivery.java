package io.rollscope.server.tail;

import io.rollscope.formats.folder.TraceFile;
import io.rollscope.otlp.BadRequestException;
import io.rollscope.otlp.RequestDecoder;
import io.rollscope.otlp.record.Request;
import io.rollscope.server.tail.TailedFiles.TailedFile;
import io.rollscope.store.Incoming;
import io.rollscope.store.Receipt;
import io.rollscope.store.journal.FrameTooLargeException;
import io.rollscope.store.journal.RetryableJournalException;
import io.rollscope.store.journal.Source;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Brings parts into the store: several files at a time, of one file one part after the other, so
 * that a durable offset never stands for something that is not durable. What the store cannot take
 * now is offered again after a while, for as long as it takes.
 */
final class Delivery implements Outlet {
  private static final int MAX_IN_FLIGHT = 8;
  private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);
  private static final int LOOK_UP_MS = 100;

  private record Pending(Part part, TailedFile file, Incoming incoming, Future<Receipt> receipt) {}

  private final TailSetup setup;
  private final TailedFiles files;
  private final TailCounts counts;
  private final Map<TraceFile, Pending> inFlight = new LinkedHashMap<>();

  Delivery(TailSetup setup, TailedFiles files, TailCounts counts) {
    this.setup = setup;
    this.files = files;
    this.counts = counts;
  }

  @Override
  public void send(Part part) {
    endIfTold(Duration.ZERO);
    Pending before = inFlight.remove(part.file());
    if (before != null) {
      await(before);
    }
    while (inFlight.size() >= MAX_IN_FLIGHT) {
      awaitOldest();
    }
    TailedFile file = files.of(part.file());
    long receivedNs = setup.clock().getAsLong();
    long end = Math.max(file.settled(), part.endOffset());
    try {
      Request request =
          RequestDecoder.decode(part.signal(), part.bytes(), Incoming.HEAD, receivedNs);
      counts.refused(request.rejected());
      Incoming incoming =
          new Incoming(
              new Source.TailedFile(file.id(), end),
              part.signal(),
              receivedNs,
              part.bytes(),
              request);
      inFlight.put(part.file(), new Pending(part, file, incoming, offer(incoming)));
    } catch (BadRequestException e) {
      counts.refused(Map.of(e.getMessage(), (long) part.items()));
      file.settle(end);
    }
  }

  private Future<Receipt> offer(Incoming incoming) {
    CompletionStage<Receipt> stage = setup.sink().accept(incoming);
    return stage.toCompletableFuture();
  }

  @Override
  public void drain() {
    while (!inFlight.isEmpty()) {
      awaitOldest();
    }
  }

  private void awaitOldest() {
    Iterator<Pending> oldest = inFlight.values().iterator();
    Pending pending = oldest.next();
    oldest.remove();
    await(pending);
  }

  private void await(Pending pending) {
    Future<Receipt> receipt = pending.receipt();
    Duration pause = FIRST_PAUSE;
    while (true) {
      try {
        counts.refused(receipt.get(LOOK_UP_MS, TimeUnit.MILLISECONDS).refused());
        counts.delivered(pending.part());
        break;
      } catch (TimeoutException e) {
        endIfTold(Duration.ZERO);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new UndeliveredException("interrupted", e);
      } catch (ExecutionException e) {
        if (e.getCause() instanceof FrameTooLargeException tooLarge) {
          counts.refused(Map.of(tooLarge.getMessage(), (long) pending.part().items()));
          break;
        }
        if (!(e.getCause() instanceof RetryableJournalException busy)) {
          throw new UndeliveredException("store: " + e.getCause().getMessage(), e.getCause());
        }
        counts.retried(busy.getMessage());
        endIfTold(pause.compareTo(busy.retryAfter()) > 0 ? pause : busy.retryAfter());
        pause = pause.multipliedBy(2);
        pause = pause.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : pause;
        receipt = offer(pending.incoming());
      }
    }
    pending.file().settle(((Source.TailedFile) pending.incoming().source()).endOffset());
  }

  private void endIfTold(Duration pause) {
    if (setup.waiting().passes(pause)) {
      throw UndeliveredException.stopped();
    }
  }
}
