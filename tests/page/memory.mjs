// What a page keeps in memory, and whether that grows.

/** Measures a page of Chromium, and counts the live updates that it received. */
export class Memory {
  updates = 0;

  static async of(page) {
    const memory = new Memory();
    memory.session = await page.context().newCDPSession(page);
    memory.session.on('Network.eventSourceMessageReceived', () => memory.updates++);
    // Else the browser keeps what it received for the developer tools.
    await memory.session.send('Network.enable', { maxTotalBufferSize: 0, maxResourceBufferSize: 0 });
    await memory.session.send('Performance.enable');
    return memory;
  }

  /** What is left after everything that nobody holds has been thrown away. */
  async measure() {
    await this.session.send('HeapProfiler.collectGarbage');
    const { metrics } = await this.session.send('Performance.getMetrics');
    const value = (name) => metrics.find((m) => m.name === name).value;
    return { heap: value('JSHeapUsedSize'), nodes: value('Nodes'), listeners: value('JSEventListeners') };
  }
}

/** By how much the median of the last third is above that of the first. */
export function growth(values) {
  const third = Math.floor(values.length / 3);
  return median(values.slice(-third)) - median(values.slice(0, third));
}

function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
