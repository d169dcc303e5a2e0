package tidepool.check;

/** Throws again what a strand or thread threw, as it is: a failed assertion must stay one. */
final class Sneaky {
    private Sneaky() {}

    /** Never returns; declared so that callers can write {@code throw}. */
    static RuntimeException again(Throwable cause) {
        return Sneaky.<RuntimeException>as(cause);
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <T extends Throwable> RuntimeException as(Throwable thrown) throws T {
        throw (T) thrown;
    }
}
