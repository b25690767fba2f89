package io.rollscope.server.scrape.book;

import java.util.Collection;

/** Refuses targets that would never be scraped when somebody registers them. */
public final class TargetAdmission {
  private final AddressRule rule;
  private final OwnPorts own;

  public TargetAdmission(AddressRule rule, OwnPorts own) {
    this.rule = rule;
    this.own = own;
  }

  void check(Collection<Target> targets) throws TargetException {
    for (Target target : targets) {
      String refusal = rule.refusal(target.address());
      if (refusal == null) {
        refusal = own.refusal(target.address());
      }
      if (refusal != null) {
        throw TargetException.refused(refusal);
      }
    }
  }
}
