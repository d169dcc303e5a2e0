package tidepool.fuzz;

/**
 * Where Jazzer hands in its inputs. The property {@code tidepool.fuzz.target} names the target; without it, the first byte of
 * each input chooses one, so that one short run looks at all of them.
 */
public final class Fed {
    private static final String NAME = System.getProperty("tidepool.fuzz.target", "");
    private static final Target[] TARGETS = NAME.isEmpty()
            ? Targets.names().stream().map(Targets::make).toArray(Target[]::new)
            : new Target[] {Targets.make(NAME)};

    private Fed() {}

    /** Jazzer looks for a method of this name. */
    public static void fuzzerTestOneInput(byte[] input) {
        if (TARGETS.length == 1) {
            TARGETS[0].feed(input);
            return;
        }
        Bytes bytes = new Bytes(input);
        TARGETS[bytes.u8() % TARGETS.length].feed(bytes.rest());
    }
}
