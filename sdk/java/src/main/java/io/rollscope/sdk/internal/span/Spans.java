package io.rollscope.sdk.internal.span;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.context.Context;
import io.rollscope.sdk.internal.span.SpanOrigin.Place;

/**
 * Begins spans: decides what they are and where they belong (docs/sdk-java.md, "Where spans
 * belong").
 */
public final class Spans {
  private final Book book;
  private final Context ambient;

  /**
   * @param ambient where the process as a whole belongs, from its environment; the root if nowhere
   */
  public Spans(Book book, Context ambient) {
    this.book = book;
    this.ambient = ambient;
  }

  /** The current context of this thread, without anything that is over. */
  public Context current() {
    Context current = Context.current();
    boolean stale =
        Span.fromContextOrNull(current) instanceof RecordedSpan span
            && Attachment.isStale(span.attachment());
    return orAmbient(stale ? Attachment.tidy() : current);
  }

  private Context orAmbient(Context context) {
    boolean nowhere = ambient != Context.root() && Span.fromContextOrNull(context) == null;
    return nowhere && Coordinates.isMissing(context) ? ambient : context;
  }

  /** A root in a trace of its own. */
  public RecordedSpan root(Kind kind, String name, Coordinates coordinates) {
    Place place = new Place(kind, SpanKind.INTERNAL, coordinates, Library.OWN);
    return begin(SpanOrigin.root(place), name, new AttributeList(), null, 0);
  }

  /** Under the span of that context: a phase in a session, else an operation of its own. */
  public RecordedSpan phase(String name, Context context) {
    Span parent = Span.fromContextOrNull(context);
    Place place = place(parent, context, SpanKind.INTERNAL, Library.OWN);
    return begin(origin(parent, place), name, new AttributeList(), null, 0);
  }

  /** As a caller of OpenTelemetry's API wants it. */
  RecordedSpan built(OtelSpanBuilder builder, Context context, String kindWord) {
    Span parent = Span.fromContextOrNull(context);
    Place usual = place(parent, context, builder.otelKind(), builder.library());
    Kind kind = kindWord == null ? usual.kind() : Kind.of(kindWord, usual.kind());
    Place place = new Place(kind, usual.otelKind(), usual.coordinates(), usual.library());
    return begin(
        origin(parent, place),
        builder.name(),
        builder.attributes(),
        builder.extras(),
        builder.startNs());
  }

  Values values() {
    return book.values;
  }

  private static Place place(Span parent, Context context, SpanKind otelKind, Library library) {
    Kind kind = kindUnder(parent, context);
    Coordinates coordinates = kind == Kind.PHASE ? Coordinates.NONE : Coordinates.in(context);
    return new Place(kind, otelKind, coordinates, library);
  }

  private static Kind kindUnder(Span parent, Context context) {
    if (parent instanceof RecordedSpan own) {
      return own.origin().kind().isInSession() ? Kind.PHASE : Kind.OP;
    }
    if (parent == null || !parent.getSpanContext().isValid()) {
      return Kind.OP;
    }
    Coordinates coordinates = Coordinates.in(context);
    boolean stranger = parent.getSpanContext().isRemote() && coordinates.isUnknown();
    return stranger || coordinates.session() != null ? Kind.PHASE : Kind.OP;
  }

  private static SpanOrigin origin(Span parent, Place place) {
    if (parent instanceof RecordedSpan own) {
      return SpanOrigin.under(own.origin(), place);
    }
    boolean none = parent == null || !parent.getSpanContext().isValid();
    return none ? SpanOrigin.root(place) : SpanOrigin.under(parent.getSpanContext(), place);
  }

  private RecordedSpan begin(
      SpanOrigin origin, String name, AttributeList attributes, Extras extras, long startNs) {
    RecordedSpan span =
        new RecordedSpan(book, origin, book.named("phase", name), attributes, startNs);
    span.adopt(extras);
    return span.begin();
  }
}
