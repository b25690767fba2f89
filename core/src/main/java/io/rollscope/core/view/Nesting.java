package io.rollscope.core.view;

import io.rollscope.core.time.NanoSum;
import io.rollscope.core.view.HotspotsReport.NestingNode;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;

/** What ran inside what, by stage: a tree that adds up the spans of many sessions. */
public final class Nesting {
  /** How deep spans may lie in each other. */
  public static final int MOST_DEEP = 64;

  private static final int MOST_SHOWN = 500;
  private static final int MOST_KEPT = 20_000;
  private static final String OTHER = "(other)";

  /** All spans of one stage inside the same stages. */
  public static final class Branch {
    private final Branch around;
    private final String stage;
    private final Map<String, Branch> children = new LinkedHashMap<>();
    private final NanoSum total = new NanoSum();
    private final NanoSum self = new NanoSum();
    private int count;

    private Branch(Branch around, String stage) {
      this.around = around;
      this.stage = stage;
    }

    /** What it is inside; null for the root. */
    Branch around() {
      return around;
    }

    String stage() {
      return stage;
    }

    void add(long durationNs, long selfNs) {
      count++;
      total.add(durationNs);
      self.add(selfNs);
    }

    NanoSum self() {
      return self;
    }

    private void addAll(Branch other) {
      count += other.count;
      total.add(other.total);
      self.add(other.self);
    }

    /** Adds many at once. */
    public void add(int spans, BigInteger durationsNs, BigInteger selfsNs) {
      count += spans;
      total.add(durationsNs);
      self.add(selfsNs);
    }
  }

  private final Branch root = new Branch(null, "");
  private int branches;

  /** What is inside nothing. */
  public Branch root() {
    return root;
  }

  /** A stage inside a branch; when there are too many, the new ones of a branch are one. */
  public Branch inside(Branch parent, String stage) {
    Branch known = parent.children.get(stage);
    if (known != null) {
      return known;
    }
    String name = branches < MOST_KEPT ? stage : OTHER;
    return parent.children.computeIfAbsent(
        name,
        n -> {
          branches++;
          return new Branch(parent, n);
        });
  }

  void addAll(Nesting other) {
    addAll(root, other.root);
  }

  private void addAll(Branch into, Branch from) {
    into.addAll(from);
    from.children.forEach((stage, child) -> addAll(inside(into, stage), child));
  }

  // ---- the answer ------------------------------------------------------------------------------

  private static final Comparator<Branch> LONGEST_FIRST =
      Comparator.comparingDouble((Branch b) -> -b.total.seconds()).thenComparing(b -> b.stage);

  /** Parents first, the longest first within a parent; what is left out is its {@code (other)}. */
  public List<NestingNode> list() {
    Set<Branch> shown = branches <= MOST_SHOWN ? null : longest();
    List<NestingNode> nodes = new ArrayList<>();
    list(root, -1, shown, nodes);
    return nodes;
  }

  /** Half of what fits, for each of them may need its others. */
  private Set<Branch> longest() {
    Set<Branch> shown = new HashSet<>();
    PriorityQueue<Branch> next = new PriorityQueue<>(LONGEST_FIRST);
    next.addAll(root.children.values());
    while (shown.size() < MOST_SHOWN / 2 - 1 && !next.isEmpty()) {
      Branch branch = next.poll();
      shown.add(branch);
      next.addAll(branch.children.values());
    }
    return shown;
  }

  private static void list(Branch of, int place, Set<Branch> shown, List<NestingNode> nodes) {
    Branch others = new Branch(of, OTHER);
    for (Branch child : of.children.values().stream().sorted(LONGEST_FIRST).toList()) {
      if (shown == null || shown.contains(child)) {
        int at = nodes.size();
        nodes.add(node(child, place));
        list(child, at, shown, nodes);
      } else {
        others.total.add(child.total);
        addWhole(others, child);
      }
    }
    if (others.count > 0) {
      nodes.add(node(others, place));
    }
  }

  private static void addWhole(Branch into, Branch from) {
    into.count += from.count;
    into.self.add(from.self);
    from.children.values().forEach(child -> addWhole(into, child));
  }

  private static NestingNode node(Branch b, int parent) {
    return new NestingNode(b.stage, parent, b.count, b.total.seconds(), b.self.seconds());
  }
}
