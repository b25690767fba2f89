package io.rollscope.stuck;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;

/** A user's program, as far as it is stuck: its frames are not the SDK's. */
public final class Tool {
  private Tool() {}

  /** Waits for an answer. */
  public static String await(BlockingQueue<String> answers) throws InterruptedException {
    return answers.take();
  }

  /** Of a server that takes connections and says nothing. */
  public static int ask(ServerSocket silent, String secret) throws IOException {
    try (Socket socket = new Socket(silent.getInetAddress(), silent.getLocalPort())) {
      socket.getOutputStream().write(secret.getBytes(StandardCharsets.UTF_8));
      return socket.getInputStream().read();
    }
  }

  /** The same from a stack that is deeper than what may be sent. */
  public static String awaitDeepDown(BlockingQueue<String> answers, int depth)
      throws InterruptedException {
    return depth == 0 ? await(answers) : awaitDeepDown(answers, depth - 1);
  }
}
