package tidepool.schema;

/**
 * A value of a row that a record class of another version of the schema cannot hold. The message names attribute and
 * value. {@code Table} passes it on as a {@code StoreException}.
 *
 * <pre>{@code
 * try {
 *     System.out.println(codec.decode(17, memory, 0));
 * } catch (MisfitException e) {
 *     System.out.println(e.getMessage()); // attribute 'balance' holds 3000000000, which is no int
 * }
 * }</pre>
 */
public final class MisfitException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    MisfitException(String message) {
        super(message);
    }

    static MisfitException of(String attribute, Object value, AttributeType type) {
        return new MisfitException("attribute '" + attribute + "' holds " + value + ", which is no " + type);
    }
}
