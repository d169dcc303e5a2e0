package tidepool.fabric;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

/** A URL whose provider is not on the class path is refused, and the refusal names the missing artifact. */
class UnknownFabricTest {
    @Test
    void theMissingArtifactIsNamed() {
        assertRefused("unknown fabric 'sim:' in sim:1; known: mem:, shm:; add dev.tidepool:tidepool-sim", "sim:1");
        assertRefused(
                "unknown fabric 'tcp:' in tcp://a:1; known: mem:, shm:; add dev.tidepool:tidepool-tcp", "tcp://a:1");
    }

    @Test
    void anUnknownSchemeNamesNoArtifact() {
        assertRefused("unknown fabric 'rdma:' in rdma:x; known: mem:, shm:", "rdma:x");
    }

    private static void assertRefused(String sentence, String url) {
        assertEquals(
                sentence,
                assertThrows(IllegalArgumentException.class, () -> Fabric.open(url))
                        .getMessage());
    }
}
