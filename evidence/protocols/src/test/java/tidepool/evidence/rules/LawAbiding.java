package tidepool.evidence.rules;

import java.nio.charset.StandardCharsets;
import java.util.Random;

/** Comes close to several rules and breaks none; shows that the checker does not shout at everything. */
final class LawAbiding {
    int seeded(long seed) {
        return new Random(seed).nextInt();
    }

    int hashOfContent(String text) {
        return text.hashCode();
    }

    byte[] namedCharset(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    double sameEverywhere(double x) {
        return StrictMath.exp(x) + Math.sqrt(x);
    }
}
