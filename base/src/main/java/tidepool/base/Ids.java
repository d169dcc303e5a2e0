package tidepool.base;

import java.security.SecureRandom;

/** Where new ids come from: unguessable in production, from the seed in a simulation. */
@FunctionalInterface
public interface Ids {
    Id128 next();

    /** Ids that nobody can guess; fit for capabilities. */
    static Ids secure() {
        SecureRandom random = new SecureRandom();
        return () -> new Id128(random.nextLong(), random.nextLong());
    }

    /** Ids that follow from a seed. Anybody who knows the seed knows them. */
    static Ids seeded(Randomness randomness) {
        return () -> new Id128(randomness.nextLong(), randomness.nextLong());
    }
}
