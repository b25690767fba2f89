package io.rollscope.server.receive;

import io.rollscope.store.Incoming;
import io.rollscope.store.Receipt;
import java.util.concurrent.CompletionStage;

/** Where decoded requests go; {@code Store::accept} as a rule. */
@FunctionalInterface
public interface Intake {
  CompletionStage<Receipt> accept(Incoming incoming);
}
