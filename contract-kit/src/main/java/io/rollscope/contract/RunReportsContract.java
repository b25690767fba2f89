package io.rollscope.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.rollscope.core.report.RunReports;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What everything that answers questions about runs must do (contracts.md 7.6): give the answers of
 * others with the same data, to the nanosecond. A subclass takes in worlds in its own way.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class RunReportsContract {
  /** The first seed; the next ones follow it. */
  private static final long SEED = Long.getLong("rollscope.contract.seed", 1);

  private static final int RANDOM_WORLDS = Integer.getInteger("rollscope.contract.worlds", 5);

  /** Questions about each world; each source is asked others. */
  private static final int QUESTIONS = Integer.getInteger("rollscope.contract.questions", 8);

  private static final int MOST_CHARTS = 100;
  private static final int MOST_FINDINGS = 100;

  private static final Map<String, Reference> REFERENCES = new HashMap<>();

  /** A folder of its own, for the time of its tests. */
  protected Path folder;

  /** Takes in all worlds. */
  protected abstract void take(List<World> worlds) throws Exception;

  /** The run of a world. */
  protected abstract RunReports open(World world) throws Exception;

  /** Gives everything free. */
  protected abstract void close() throws Exception;

  /** Which answers it gives. */
  protected Set<String> answers() {
    return Questions.ANSWERS;
  }

  /** Whether what it finds in this world is what others find. */
  protected boolean comparesFindings(World world) {
    return true;
  }

  /** Worlds with a name. */
  protected List<World> named() {
    return Worlds.named();
  }

  /** Which worlds there are. */
  protected List<World> worlds() {
    List<World> worlds = new ArrayList<>();
    if (!"false".equals(System.getProperty("rollscope.contract.named"))) {
      worlds.addAll(named());
    }
    LongStream.range(SEED, SEED + RANDOM_WORLDS).mapToObj(RandomWorlds::of).forEach(worlds::add);
    return worlds;
  }

  @BeforeAll
  void begin(@TempDir Path temporary) throws Exception {
    folder = temporary;
    take(worlds());
  }

  @AfterAll
  void end() throws Exception {
    close();
  }

  Stream<World> eachWorld() {
    return worlds().stream();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("eachWorld")
  void answersAsTheOthersDo(World world) throws Exception {
    Random any = new Random((world.name() + getClass().getSimpleName()).hashCode());
    assertThat(reference(world).differences(open(world), answers(), QUESTIONS, any))
        .as("answers that differ from those of the %s", referenceName())
        .isEmpty();
  }

  Stream<World> eachWithFindings() {
    return worlds().stream().filter(this::comparesFindings);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("eachWithFindings")
  void findsWhatTheOthersDo(World world) throws Exception {
    Random any = new Random(getClass().getSimpleName().hashCode());
    assertThat(reference(world).differences(open(world), Questions.FINDINGS, MOST_FINDINGS, any))
        .as("findings that differ from those of the %s", referenceName())
        .isEmpty();
  }

  Stream<World> eachWithMetrics() {
    return worlds().stream().filter(World::hasMetrics);
  }

  @ParameterizedTest(name = "{0}", allowZeroInvocations = true)
  @MethodSource("eachWithMetrics")
  void drawsMetricsAsTheOthersDo(World world) throws Exception {
    Random any = new Random(getClass().getSimpleName().hashCode());
    assertThat(reference(world).differences(open(world), Questions.METRICS, MOST_CHARTS, any))
        .as("metrics that differ from those of the %s", referenceName())
        .isEmpty();
  }

  private Reference reference(World world) throws Exception {
    String key = referenceName() + " " + world.name();
    Reference known = REFERENCES.get(key);
    if (known == null) {
      known = new Reference(reference(world, folder.resolve("reference")));
      REFERENCES.put(key, known);
    }
    return known;
  }

  /** Who says what is right. */
  protected String referenceName() {
    return "folder";
  }

  /** The run as whoever says what is right knows it. */
  protected RunReports reference(World world, Path into) throws Exception {
    return Folders.run(world.write(into, world.lines()), world.run());
  }
}
