package tidepool.base;

import java.security.SecureRandom;

/** A source of new ids: unguessable in production, from the seed in a simulation. */
@FunctionalInterface
public interface Ids {
    Id128 next();

    /** Returns a source of ids that cannot be guessed; fit for capabilities. */
    static Ids secure() {
        SecureRandom random = new SecureRandom();
        return () -> new Id128(random.nextLong(), random.nextLong());
    }

    /** Returns a source of ids that follow from a seed. A reader of the seed can compute them. */
    static Ids seeded(Randomness randomness) {
        return () -> new Id128(randomness.nextLong(), randomness.nextLong());
    }
}
