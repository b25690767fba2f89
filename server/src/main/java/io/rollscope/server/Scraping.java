package io.rollscope.server;

import io.rollscope.server.receive.Intake;
import io.rollscope.server.scrape.ScrapeSettings;
import io.rollscope.server.scrape.Scraper;
import io.rollscope.server.scrape.book.AddressRule;
import io.rollscope.server.scrape.book.OwnPorts;
import io.rollscope.server.scrape.book.PrometheusFiles;
import io.rollscope.server.scrape.book.PrometheusServer;
import io.rollscope.server.scrape.book.TargetAdmission;
import io.rollscope.server.scrape.book.TargetBook;
import io.rollscope.server.scrape.book.Targets;
import io.rollscope.server.scrape.book.TargetsFile;
import io.rollscope.store.disk.RealDisk;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Targets and who scrapes them, made of the options. */
record Scraping(Targets targets, Scraper scraper, OwnPorts own) implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(Scraping.class);

  /** Opens the book of targets; nothing is scraped before {@link #start}. */
  static Scraping open(
      ServerOptions options, Intake intake, LongSupplier clock, Supplier<String> recentRun)
      throws StartException {
    ServerOptions.Scrape scrape = options.scrape();
    List<String> problems = new ArrayList<>();
    TargetBook book;
    try {
      book = TargetBook.open(new RealDisk(), options.data(), clock, problems);
    } catch (IOException e) {
      throw new StartException(
          "targets: " + e + " (expected: a readable " + options.data() + "/targets.json)", e);
    }
    problems.forEach(LOG::error);
    ScrapeSettings settings = new ScrapeSettings(scrape.interval(), scrape.allowLinkLocal());
    OwnPorts own = new OwnPorts();
    AddressRule rule = new AddressRule(scrape.allowLinkLocal());
    Targets targets =
        new Targets(
            book,
            new TargetAdmission(rule, own),
            scrape.targetsFile() == null ? null : new TargetsFile(scrape.targetsFile()),
            prometheusFiles(options, settings, rule),
            scrape.prometheusUrl() == null ? null : new PrometheusServer(scrape.prometheusUrl()),
            problems.isEmpty() ? null : problems.get(0),
            LOG::warn);
    Scraper scraper = new Scraper(targets, settings, own, intake, clock, recentRun);
    return new Scraping(targets, scraper, own);
  }

  private static PrometheusFiles prometheusFiles(
      ServerOptions options, ScrapeSettings settings, AddressRule rule) throws StartException {
    ServerOptions.Scrape scrape = options.scrape();
    if (scrape.prometheusTargets() == null) {
      if (scrape.prometheusUrl() != null) {
        throw new StartException(
            "prometheus-url: "
                + scrape.prometheusUrl()
                + " alone (expected: --prometheus-targets beside it, the folder it watches)",
            null);
      }
      return null;
    }
    if (!Files.isDirectory(scrape.prometheusTargets())) {
      throw new StartException(
          "prometheus-targets: "
              + scrape.prometheusTargets()
              + " (expected: a folder that a Prometheus' file_sd_configs watches)",
          null);
    }
    String owner = Integer.toHexString(options.data().toAbsolutePath().toString().hashCode());
    return new PrometheusFiles(
        new RealDisk(),
        scrape.prometheusTargets(),
        owner,
        rule,
        settings.interval(),
        settings::timeout);
  }

  void start() {
    scraper.start();
  }

  @Override
  public void close() {
    scraper.close();
  }
}
