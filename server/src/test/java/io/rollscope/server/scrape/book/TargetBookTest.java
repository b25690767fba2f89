package io.rollscope.server.scrape.book;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.rollscope.store.disk.RealDisk;
import io.rollscope.store.testkit.FaultyDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What clients register is there after a restart, whatever the disk does. */
class TargetBookTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir private Path data;
  private final FaultyDisk disk = new FaultyDisk(new RealDisk());
  private final List<String> problems = new ArrayList<>();
  private long now = 1_794_725_900_000_000_000L;
  private TargetBook book;

  @BeforeEach
  void open() throws IOException {
    book = TargetBook.open(disk, data, () -> now, problems);
  }

  private Target target(String json) throws Exception {
    now += 1_000_000_000;
    return TargetJson.read(JSON.readTree(json), now);
  }

  private InsightTargets insight(String json) throws Exception {
    now += 1_000_000_000;
    return InsightTargets.read(JSON.readTree(json), now);
  }

  private static List<String> addresses(List<Target> targets) {
    return targets.stream().map(t -> t.job() + " " + t.address()).sorted().toList();
  }

  private void register(String json) throws Exception {
    InsightTargets wanted = insight(json);
    book.register(wanted.experiment(), wanted.targets());
  }

  @Test
  void everythingIsThereAfterARestart() throws Exception {
    book.put(
        List.of(
            target(
                "{\"target\":\"https://gpu1/m?x=1\",\"job\":\"vllm\",\"labels\":{\"replica\":0},"
                    + "\"run\":\"r\",\"interval_s\":5,\"timeout_s\":2.5}")));
    register("{\"targets\":[\"h:1\"],\"project\":\"p\",\"experiment_name\":\"e\"}");
    book.setArchived(new ExperimentId("p", "e"), true);
    List<Target> before = book.active();
    List<TargetBook.Registered> experiments = book.experiments(null);

    open();

    assertThat(book.active()).isEqualTo(before).hasSize(1);
    assertThat(book.experiments(null)).isEqualTo(experiments).hasSize(1);
    assertThat(before.get(0).labels()).containsEntry("replica", "0");
    assertThat(problems).isEmpty();
  }

  @Test
  void sameTargetOfAJobIsReplacedNotDoubled() throws Exception {
    book.put(List.of(target("{\"target\":\"h:1\",\"labels\":{\"a\":\"1\"}}")));
    book.put(List.of(target("{\"target\":\"http://H:1/metrics\",\"labels\":{\"a\":\"2\"}}")));
    book.put(List.of(target("{\"target\":\"h:1\",\"job\":\"other\"}")));

    assertThat(addresses(book.active())).containsExactly("metrics h:1", "other h:1");
    assertThat(book.active().get(0).labels()).containsEntry("a", "2");
  }

  /** The next job's hub takes the port of the last one's. */
  @Test
  void addressThatTwoExperimentsHaveIsScrapedForTheNewer() throws Exception {
    register("{\"targets\":[\"h:9092\"],\"project\":\"p\",\"experiment_name\":\"old\"}");
    register("{\"targets\":[\"h:9092\"],\"project\":\"p\",\"experiment_name\":\"new\"}");

    assertThat(book.active())
        .extracting(Target::experiment)
        .containsExactly(new ExperimentId("p", "new"));
    assertThat(book.experiment(new ExperimentId("p", "old")).targets()).hasSize(1);
  }

  @Test
  void archivedExperimentIsNotScrapedAndTakesNothing() throws Exception {
    ExperimentId id = new ExperimentId("p", "e");
    register("{\"targets\":[\"h:1\"],\"project\":\" p \",\"experiment_name\":\"e\"}");
    book.setArchived(id, true);
    String updated = book.experiment(id).experiment().updatedAt();
    now += 60_000_000_000L;

    assertThat(book.setArchived(id, true).experiment().updatedAt()).isEqualTo(updated);
    assertThat(book.active()).isEmpty();
    assertThatThrownBy(
            () -> register("{\"targets\":[\"h:2\"],\"project\":\"p\",\"experiment_name\":\"e\"}"))
        .isInstanceOfSatisfying(
            TargetException.class, e -> assertThat(e.why()).isEqualTo(TargetException.Why.ARCHIVED))
        .hasMessageContaining("restore");
    assertThat(book.setArchived(id, false).targets()).hasSize(1);
    assertThat(book.active()).hasSize(1);
    assertThatThrownBy(() -> book.setArchived(new ExperimentId("p", "E"), true))
        .hasMessageStartingWith("experiment: p/E (expected: one that ");
  }

  @Test
  void targetsWithoutExperimentLeaveNoneBehind() throws Exception {
    register("{\"targets\":[\"h:1\",\"h:2\"],\"project\":\"p\",\"experiment_name\":\"e\"}");

    assertThat(book.remove(TargetAddress.parse("h:1"), "no-such-job")).isZero();
    assertThat(book.remove(TargetAddress.parse("h:1"), null)).isEqualTo(1);
    assertThat(book.experiments(null)).hasSize(1);
    assertThat(book.remove(TargetAddress.parse("h:2"), "trainer_metrics")).isEqualTo(1);
    assertThat(book.experiments(null)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"version\":1,\"targ",
        "[]",
        "",
        "{\"version\":2}",
        "{\"version\":1,\"targets\":[{\"target\":\"no port\"}]}"
      })
  void fileThatCannotBeUnderstoodIsPutAsideAndSaid(String content) throws Exception {
    Files.writeString(data.resolve("targets.json"), content);

    open();

    assertThat(book.active()).isEmpty();
    assertThat(problems).hasSize(1);
    assertThat(problems.get(0))
        .contains("targets.json: ")
        .contains("it is now targets.json.corrupt-");
    Path aside = data.resolve("targets.json.corrupt-" + now / 1_000_000);
    assertThat(aside).hasContent(content);
    book.put(List.of(target("{\"target\":\"h:1\"}")));
    open();
    assertThat(book.active()).hasSize(1);
  }

  /** Full disks, pulled cables: each call of a write fails once. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6})
  void writeThatFailsChangesNothingAndLeavesNothing(int call) throws Exception {
    book.put(List.of(target("{\"target\":\"h:1\"}")));
    Target second = target("{\"target\":\"h:2\"}");
    disk.failCall(call, FaultyDisk.Fault.SHORT);

    assertThatThrownBy(() -> book.put(List.of(second))).isInstanceOf(IOException.class);

    assertThat(addresses(book.active())).containsExactly("metrics h:1");
    book.put(List.of(second));
    open();
    assertThat(addresses(book.active())).containsExactly("metrics h:1", "metrics h:2");
    assertThat(data.toFile().list()).containsExactly("targets.json");
  }

  @Test
  void thousandTargetsAreScrapedAndNoMore() throws Exception {
    List<Target> many = new ArrayList<>();
    for (int port : IntStream.rangeClosed(1, 1_001).toArray()) {
      many.add(target("{\"target\":\"h:" + port + "\"}"));
    }
    book.put(many.subList(0, 1_000));

    assertThatThrownBy(() -> book.put(many))
        .hasMessageStartingWith("targets: 1001 (expected: at most 1000;");
    assertThat(book.active()).hasSize(1_000);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{} | target: none (expected: HOST:PORT, or a URL with http or https)",
        "{'target':'gpu1'} | target: gpu1 (expected: HOST:PORT, or a URL with http or https)",
        "{'target':'ftp://h:1/x'} | target: ftp://h:1/x (expected: HOST:PORT, or a URL with http or https)",
        "{'target':'http://user:pw@h:1/x'} | target: http://user:pw@h:1/x (expected: HOST:PORT, or a URL with http or https)",
        "{'target':'h:70000'} | target: h:70000 (expected: HOST:PORT, or a URL with http or https)",
        "{'target':'h:1','labels':{'__address__':'x'}} | label: __address__ (expected: a name that does not begin with __)",
        "{'target':'h:1','labels':{'a-b':'x'}} | label: a-b (expected: letters, digits and underscores)",
        "{'target':'h:1','labels':{'job':'x'}} | label: job (expected: none of job, instance, le and quantile)",
        "{'target':'h:1','labels':[]} | labels: ARRAY (expected: an object)",
        "{'target':'h:1','interval_s':0} | interval_s: 0.0 (expected: 0.1 to 86400.0 seconds)",
        "{'target':'h:1','interval_s':5,'timeout_s':6} | timeout_s: 6.0 (expected: 0.1 to 5.0 seconds)",
        "{'target':'h:1','interval_s':'5s'} | interval_s: \"5s\" (expected: a number of seconds)"
      })
  void wrongTargetIsNamed(String json, String message) {
    assertThatThrownBy(() -> target(json.replace('\'', '"'))).hasMessage(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'targets':[]} | targets: none (expected: a list of host:port, not empty)",
        "{'targets':'h:1'} | targets: none (expected: a list of host:port, not empty)",
        "{'targets':[7]} | target: NUMBER (expected: a text or an object)",
        "{'targets':['h:1'],'project':'p'} | identity: project without experiment_name (expected: both of them, or none)",
        "{'targets':['h:1'],'project':' ','experiment_name':'e'} | identity: experiment_name without project (expected: both of them, or none)",
        "{'targets':['h:1'],'project':'p','experiment_name':'e','labels':{'project':'q'}} | label project: q is reserved for the experiment's identity (expected: p, or no label)",
        "{'targets':['h:1'],'labels':{'project':'q'}} | label project: q is reserved for the experiment's identity (expected: project and experiment_name beside targets)"
      })
  void wrongRegistrationIsNamed(String json, String message) {
    assertThatThrownBy(() -> insight(json.replace('\'', '"'))).hasMessage(message);
  }

  @Test
  void labelsOfATargetGoBeforeThoseOfTheRequestAndTheIdentityIsAdded() throws Exception {
    InsightTargets wanted =
        insight(
            "{\"job_name\":\"workers\",\"labels\":{\"zone\":\"a\",\"rank\":9},\"targets\":[\"h:1\","
                + "{\"target\":\"[::1]:2\",\"labels\":{\"rank\":1}}],\"project\":\"p\",\"experiment_name\":\"e\"}");

    assertThat(wanted.targets())
        .extracting(t -> t.address().text())
        .containsExactly("h:1", "[::1]:2");
    assertThat(wanted.targets().get(1).labels())
        .hasToString("{experiment_name=e, project=p, rank=1, zone=a}");
    assertThat(wanted.job()).isEqualTo("workers");
  }
}
