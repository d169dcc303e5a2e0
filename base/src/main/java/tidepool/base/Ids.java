package tidepool.base;

import java.security.SecureRandom;

/** Where 128-bit ids come from. */
public interface Ids {
    Id128 next();

    static Ids secure() {
        SecureRandom random = new SecureRandom();
        return () -> new Id128(random.nextLong(), random.nextLong());
    }
}
