package tidepool.evidence.rules;

import java.util.List;
import java.util.Random;
import java.util.Set;

/** Breaks every rule for deterministic modules once. It is only ever read by the checker, never run. */
final class Offender {
    enum Colour {
        RED
    }

    long time() {
        return System.nanoTime();
    }

    int randomness() {
        return new Random().nextInt();
    }

    Thread thread(Runnable work) {
        return Thread.ofPlatform().unstarted(work);
    }

    void waiting() throws InterruptedException {
        Thread.sleep(1);
    }

    long parallel(List<String> names) {
        return names.stream().parallel().count();
    }

    int identityOfObject(Object any) {
        return System.identityHashCode(any);
    }

    int identityOfEnum() {
        return Colour.RED.hashCode();
    }

    Set<String> saltedOrder() {
        return Set.of("a", "b");
    }

    double lastBits(double x) {
        return Math.exp(x);
    }

    int surroundings() {
        return Runtime.getRuntime().availableProcessors();
    }

    byte[] defaultCharset(String text) {
        return text.getBytes();
    }

    String defaultLocale(String text) {
        return text.toUpperCase();
    }
}
