package tidepool.bench.net;

import java.io.IOException;
import java.io.OutputStream;

/**
 * The answering end in its own JVM. Argument: the transport. Prints {@code ready PORT}, and ends when its input ends.
 */
public final class PongMain {
    private PongMain() {}

    public static void main(String[] arguments) throws IOException {
        try (Pong pong = RawTransports.named(arguments[0]).listen()) {
            Thread.ofPlatform().daemon().name("pong").start(pong::serve);
            System.out.println("ready " + pong.port());
            System.in.transferTo(OutputStream.nullOutputStream()); // until it ends
        }
    }
}
