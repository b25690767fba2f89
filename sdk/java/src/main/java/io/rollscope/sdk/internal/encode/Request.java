package io.rollscope.sdk.internal.encode;

import io.rollscope.sdk.Signal;
import io.rollscope.sdk.internal.span.Library;

/** One export request while it is written: resource and scopes, and items in them. */
public final class Request {
  private static final int RESOURCES = 1;
  private static final int RESOURCE = 1;
  private static final int SCOPES = 2;
  private static final int SCOPE = 1;
  static final int ITEMS = 2;

  private final Signal signal;
  private final Sink out;
  private final Object[] resource;
  private Library library;
  private int items;

  /**
   * @param resource what every item shares, keys and values in turn
   */
  public Request(Signal signal, Sink out, Object[] resource) {
    this.signal = signal;
    this.out = out;
    this.resource = resource;
  }

  public Signal signal() {
    return signal;
  }

  public int items() {
    return items;
  }

  public int size() {
    return out.size();
  }

  /** Makes room for another item of that library. */
  Sink next(Library of) {
    return next(of, 1);
  }

  /** Likewise, for what counts as several. */
  Sink next(Library of, int count) {
    if (items == 0) {
      openResource();
    }
    if (!of.equals(library)) {
      closeScope();
      openScope(of);
    }
    items += count;
    return out;
  }

  private void openResource() {
    out.openList(word("resource"));
    out.openElement(RESOURCES);
    out.open(RESOURCE, "resource");
    out.openList("attributes");
    new AttributeWriting(out, 1).all(resource, resource.length);
    out.closeList();
    out.close();
    out.openList(word("scope"));
  }

  private String word(String level) {
    return switch (signal) {
      case TRACES -> level + "Spans";
      case LOGS -> level + "Logs";
      case METRICS -> level + "Metrics";
    };
  }

  private void openScope(Library of) {
    library = of;
    out.openElement(SCOPES);
    out.open(SCOPE, "scope");
    out.text(1, "name", of.name());
    if (of.version() != null) {
      out.text(2, "version", of.version());
    }
    out.close();
    out.openList(
        switch (signal) {
          case TRACES -> "spans";
          case LOGS -> "logRecords";
          case METRICS -> "metrics";
        });
  }

  private void closeScope() {
    if (library != null) {
      out.closeList();
      out.close();
    }
  }

  /** The whole request; the next one begins. */
  public byte[] take() {
    if (items > 0) {
      closeScope();
      out.closeList();
      out.close();
      out.closeList();
    }
    library = null;
    items = 0;
    return out.take();
  }
}
