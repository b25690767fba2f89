package io.rollscope.server.tail;

import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.resource.v1.Resource;
import io.rollscope.formats.folder.Formats;
import io.rollscope.formats.folder.TraceFile;
import java.util.List;

/** What is said of a file as a whole: the run its events belong to and what clock they are on. */
final class Resources {
  private Resources() {}

  /** The resource of events read from this file. */
  static Resource of(TraceFile file, boolean relativeClock) {
    Resource.Builder resource = Resource.newBuilder();
    if (file.runGiven() != null) {
      add(resource, "rl.run.id", file.runGiven());
    }
    addFile(resource, file);
    if (relativeClock) {
      add(resource, "rollscope.clock", "relative:" + file.label());
    }
    return resource.build();
  }

  /** Adds, to a resource that speaks for itself, what its file says. */
  static void addFileOf(Resource.Builder resource, TraceFile file) {
    boolean named =
        resource.getAttributesList().stream()
            .anyMatch(
                a -> a.getKey().equals("service.name") && !a.getValue().getStringValue().isEmpty());
    add(resource, "rollscope.source", file.format().id());
    if (file.runGiven() != null || !named) {
      add(resource, "rollscope.run.default", file.run());
    }
  }

  private static void addFile(Resource.Builder resource, TraceFile file) {
    add(resource, "rollscope.run.default", file.run());
    add(resource, "rollscope.source", file.format().id());
    String system = Formats.systemOf(List.of(file));
    if (system != null) {
      add(resource, "rl.system", system);
    }
  }

  private static void add(Resource.Builder resource, String key, String value) {
    KeyValue.Builder attribute = KeyValue.newBuilder().setKey(key);
    attribute.getValueBuilder().setStringValue(value);
    resource.addAttributes(attribute);
  }
}
