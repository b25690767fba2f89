package io.rollscope.sdk.internal.span;

import io.opentelemetry.api.trace.StatusCode;
import java.util.ArrayList;
import java.util.List;

/** What few spans have: events, links, a status. Guarded by its span. */
public final class Extras {
  private static final int MAX = 128;

  private final List<Moment> moments = new ArrayList<>(1);
  private final List<Link> links = new ArrayList<>(0);
  private int momentsLeft;
  private int linksLeft;
  private StatusCode status = StatusCode.UNSET;
  private String statusText = "";

  void add(Moment moment) {
    if (moments.size() < MAX) {
      moments.add(moment);
    } else {
      momentsLeft++;
    }
  }

  void add(Link link) {
    if (links.size() < MAX) {
      links.add(link);
    } else {
      linksLeft++;
    }
  }

  /** OK is final, and unset changes nothing, as OpenTelemetry has it. */
  void setStatus(StatusCode code, String text) {
    if (status != StatusCode.OK && code != StatusCode.UNSET) {
      status = code;
      boolean said = code == StatusCode.ERROR && text != null;
      statusText = said ? Values.cut(text, Values.SHORT) : "";
    }
  }

  /** Another one with the same. */
  Extras copy() {
    Extras other = new Extras();
    other.moments.addAll(moments);
    other.links.addAll(links);
    other.momentsLeft = momentsLeft;
    other.linksLeft = linksLeft;
    other.status = status;
    other.statusText = statusText;
    return other;
  }

  void release(TextBudget budget) {
    moments.forEach(m -> m.attributes().release(budget));
    links.forEach(l -> l.attributes().release(budget));
  }

  public List<Moment> moments() {
    return moments;
  }

  public List<Link> links() {
    return links;
  }

  public int momentsLeft() {
    return momentsLeft;
  }

  public int linksLeft() {
    return linksLeft;
  }

  public StatusCode status() {
    return status;
  }

  public String statusText() {
    return statusText;
  }
}
