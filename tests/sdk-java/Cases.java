import io.rollscope.sdk.Phase;
import io.rollscope.sdk.Rollscope;
import io.rollscope.sdk.Session;
import java.time.Duration;

/** A training program as the tests need it: what it does is its first argument. */
public final class Cases {
  private Cases() {}

  public static void main(String[] args) throws Exception {
    Rollscope rs = Rollscope.fromEnvironment();
    switch (args[0]) {
      case "exit" -> {
        try (Session session = rs.session("s")) {
          rs.phase("generate").close();
        }
        System.exit(3);
      }
      case "wait" -> {
        Session session = rs.session("s");
        rs.phase("done").close();
        Phase open = rs.phase("generate");
        System.out.println("waiting " + open.span().getSpanContext().getSpanId());
        Thread.sleep(600_000);
        session.close();
      }
      case "steady" -> {
        int spans = Integer.parseInt(args[1]);
        try (Session session = rs.session("s")) {
          for (int i = 0; i < spans; i++) {
            rs.phase("p").set("i", i).close();
            if (i % 1000 == 0) {
              System.out.println("recorded " + i);
              Thread.sleep(50);
            }
          }
        }
        rs.flush(Duration.ofMinutes(1));
        rs.close();
        System.out.println("dropped " + rs.dropped().spans());
      }
      default -> throw new IllegalArgumentException(args[0]);
    }
  }
}
