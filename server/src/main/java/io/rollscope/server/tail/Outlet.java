package io.rollscope.server.tail;

/** Takes the parts of a translated folder. */
interface Outlet {

  /**
   * Sends a part, after all earlier ones of its file; may return before it has arrived, and waits
   * when too many are on their way.
   *
   * @throws UndeliveredException if this part, or an earlier one, can not be delivered
   */
  void send(Part part);

  /** Waits until everything sent has arrived. */
  void drain();
}
