package io.rollscope.formats.chrome;

import io.rollscope.formats.json.JsonText;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Writes the names and the order of processes and threads. */
final class MetadataWriter {
  private final EventList events;
  private final Tracks tracks;
  private final SourceNames names;

  MetadataWriter(EventList events, Tracks tracks, SourceNames names) {
    this.events = events;
    this.tracks = tracks;
    this.names = names;
  }

  /** All that is known before the events: by rank and role, then kind, then pid and tid. */
  void writeAll() throws IOException {
    List<ProcessKey> worker = new ArrayList<>();
    for (ProcessKey process : tracks.pids().keySet()) {
      if (!worker.isEmpty() && !worker.get(0).sharesWorker(process)) {
        writeWorker(worker);
        worker.clear();
      }
      worker.add(process);
    }
    writeWorker(worker);
    writeUnranked();
  }

  private void writeWorker(List<ProcessKey> processes) throws IOException {
    for (Metadata kind : Metadata.values()) {
      for (ProcessKey process : processes) {
        long pid = tracks.pids().get(process);
        switch (kind) {
          case PROCESS_NAME ->
              name(kind, new SourceId(pid, null), null, process, names.of(process));
          case PROCESS_SORT_INDEX -> sortIndex(kind, new SourceId(pid, null), null, process, pid);
          default -> writeThreads(kind, process, pid);
        }
      }
    }
  }

  private void writeThreads(Metadata kind, ProcessKey process, long pid) throws IOException {
    long tid = pid;
    for (SourceId thread : tracks.threads(process)) {
      SourceId written = new SourceId(tid, null);
      if (kind == Metadata.THREAD_NAME) {
        String name = names.of(new ThreadKey(process, thread));
        name(kind, new SourceId(pid, null), written, process, name);
      } else {
        sortIndex(kind, new SourceId(pid, null), written, process, tid);
      }
      tid++;
    }
  }

  /** Processes without a rank keep the names they gave themselves, if any. */
  private void writeUnranked() throws IOException {
    List<ProcessKey> named = new ArrayList<>();
    for (Map.Entry<ThreadKey, Tracks.Track> entry : tracks.byThread().entrySet()) {
      ProcessKey process = entry.getKey().process();
      if (!process.rank().isNone()) {
        continue;
      }
      String own = names.own(process);
      if (own != null && !named.contains(process)) {
        named.add(process);
        name(Metadata.PROCESS_NAME, process.pid(), null, process, own);
      }
      own = names.own(entry.getKey());
      if (own != null) {
        name(Metadata.THREAD_NAME, process.pid(), entry.getKey().tid(), process, own);
      }
    }
  }

  /** A further row of a thread; it stands beside the thread. */
  void extraRow(ThreadKey thread, int row, Tracks.Track base, SourceId tid) throws IOException {
    ProcessKey process = thread.process();
    String name = names.of(thread) + " (" + (row + 1) + ")";
    name(Metadata.THREAD_NAME, base.pid(), tid, process, name);
    if (base.tid().number() != null) {
      long index = base.tid().number();
      sortIndex(Metadata.THREAD_SORT_INDEX, base.pid(), tid, process, index);
    }
  }

  private void name(Metadata kind, SourceId pid, SourceId tid, ProcessKey process, String name)
      throws IOException {
    JsonText json = begin(kind, pid, tid);
    json.raw("\"name\": ").string(name);
    end(json, process, true);
  }

  private void sortIndex(Metadata kind, SourceId pid, SourceId tid, ProcessKey process, long index)
      throws IOException {
    JsonText json = begin(kind, pid, tid);
    json.raw("\"sort_index\": ").number(index);
    // The original leaves the role out here, and only here.
    end(json, process, kind != Metadata.THREAD_SORT_INDEX);
  }

  private JsonText begin(Metadata kind, SourceId pid, SourceId tid) throws IOException {
    JsonText json = events.next();
    json.raw("{\"name\": ").string(kind.word()).raw(", \"ph\": \"M\"");
    id(json, ", \"pid\": ", pid);
    if (tid != null) {
      id(json, ", \"tid\": ", tid);
    }
    return json.raw(", \"args\": {");
  }

  private static void id(JsonText json, String key, SourceId id) {
    if (!id.isNone()) {
      byte[] text = id.text().getBytes(java.nio.charset.StandardCharsets.UTF_8);
      json.raw(key).raw(text, 0, text.length);
    }
  }

  private static void end(JsonText json, ProcessKey process, boolean withRole) {
    if (process.rank().number() != null) {
      json.raw(", \"rank\": ").number(process.rank().number());
    } else if (!process.rank().isNone()) {
      json.raw(", \"rank\": ").string(process.rank().text());
    }
    if (withRole && process.role() != null) {
      json.raw(", \"role\": ").string(process.role());
    }
    json.raw("}}");
  }
}
