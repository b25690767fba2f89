package io.rollscope.server.access;

import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.rollscope.server.receive.Refusal;
import io.rollscope.server.receive.Refusal.Why;
import java.net.InetAddress;

/** What {@link WrongTokens} means for one request. */
final class Brake {
  static final Refusal REFUSAL =
      Refusal.later(
          Why.BUSY,
          "token: not looked at, too many wrong ones come from this address (expected: a retry"
              + " after a moment)",
          WrongTokens.PAUSE);

  private final WrongTokens wrongTokens;
  private final ServiceRequestContext ctx;
  private final InetAddress client;

  Brake(WrongTokens wrongTokens, ServiceRequestContext ctx) {
    this.wrongTokens = wrongTokens;
    this.ctx = ctx;
    this.client = ctx.remoteAddress().getAddress();
  }

  boolean mayTry() {
    return wrongTokens.mayTry(client);
  }

  /** The refusal of a wrong token, now or later. */
  HttpResponse slowed(HttpResponse refusal) {
    if (!wrongTokens.isHeld(client)) {
      return refusal;
    }
    HttpResponse held = HttpResponse.delayed(refusal, WrongTokens.PAUSE, ctx.eventLoop());
    var unused = held.whenComplete().whenComplete((done, failure) -> wrongTokens.release(client));
    return held;
  }
}
