package io.rollscope.server;

import io.netty.channel.Channel;
import io.netty.channel.ChannelPipeline;
import io.rollscope.server.receive.Shares;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/** The connections of one port: bounded, and shared among clients. Sees each that is accepted. */
final class Connections implements Consumer<ChannelPipeline> {
  private final Shares shares;
  private final LongAdder refused = new LongAdder();
  private final Map<Integer, CompletableFuture<Void>> expected = new ConcurrentHashMap<>();

  Connections(int most) {
    this.shares = new Shares(most);
  }

  @Override
  public void accept(ChannelPipeline pipeline) {
    Channel channel = pipeline.channel();
    if (!(channel.remoteAddress() instanceof InetSocketAddress remote)) {
      var unused = channel.close();
      return;
    }
    CompletableFuture<Void> probe = expected.remove(remote.getPort());
    if (probe != null) {
      probe.complete(null);
    }
    InetAddress client = Shares.client(remote.getAddress());
    if (shares.take(client, 1)) {
      channel.closeFuture().addListener(closed -> shares.give(client, 1));
    } else {
      refused.increment();
      var unused = channel.close();
    }
  }

  /** Completes when a connection from that port of this machine is accepted. */
  CompletableFuture<Void> expect(int localPort) {
    CompletableFuture<Void> accepted = new CompletableFuture<>();
    expected.put(localPort, accepted);
    return accepted;
  }

  void expectNoMore(int localPort) {
    expected.remove(localPort);
  }

  long open() {
    return shares.held();
  }

  /** Connections that were closed at once. */
  long refused() {
    return refused.sum();
  }
}
