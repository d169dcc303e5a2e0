package tidepool.cli.shell;

import java.util.List;
import java.util.stream.Collectors;
import tidepool.schema.Schema;
import tidepool.schema.SchemaChange;

/** A parsed statement. Parsing does not look at the pool. */
sealed interface Statement {
    /** {@code help}, {@code help get}. */
    record Help(String topic) implements Statement {}

    /** {@code tables}. */
    record Tables() implements Statement {}

    /** {@code describe T}. */
    record Describe(String table) implements Statement {}

    /**
     * {@code create T (id long key, owner text(32)) rows 1000}. No catalog keeps the name of a key that is one number.
     */
    record Create(Schema schema, String keyName, long rows) implements Statement {}

    /** {@code drop T yes}. */
    record Drop(String table) implements Statement {}

    /** {@code truncate T yes}. */
    record Truncate(String table) implements Statement {}

    /** {@code rename T to U}. */
    record Rename(String table, String name) implements Statement {}

    /** {@code alter T add level int 3, drop note}. */
    record Alter(String table, SchemaChange change) implements Statement {}

    /** {@code count T}. */
    record Count(String table) implements Statement {}

    /** {@code get T KEY …}. */
    record Get(String table, List<TypedKey> keys) implements Statement {}

    /** {@code rows T}, {@code rows T limit 10}. */
    record Rows(String table, long limit) implements Statement {}

    /**
     * {@code scan T}, {@code scan T by INDEX from KEY to KEY reversed limit 10}.
     *
     * @param index null for the order of the keys
     * @param from null if there is no such bound
     * @param isFromExclusive whether it begins after all entries with these values
     * @param to null if there is no such bound
     * @param isToInclusive whether it ends after all entries with these values
     */
    record Scan(
            String table,
            String index,
            TypedKey from,
            boolean isFromExclusive,
            TypedKey to,
            boolean isToInclusive,
            boolean isReversed,
            long limit)
            implements Statement {}

    /** {@code put}, {@code insert} and {@code update}. */
    record Write(Kind kind, String table, TypedKey key, List<Assignment> assignments) implements Statement {}

    /** {@code delete T KEY}. */
    record Delete(String table, TypedKey key) implements Statement {}

    /** {@code begin}, {@code begin readonly}. */
    record Begin(boolean readOnly) implements Statement {}

    /** {@code commit}. */
    record Commit() implements Statement {}

    /** {@code rollback}. */
    record Rollback() implements Statement {}

    /** {@code status}. */
    record Status() implements Statement {}

    /** {@code timing on}; null to query the setting. */
    record Timing(Boolean on) implements Statement {}

    /** {@code quit}. */
    record Quit() implements Statement {}

    /** The kind of a write. */
    enum Kind {
        PUT,
        INSERT,
        UPDATE
    }

    /** The parts of a key as they were typed, one without parentheses. The table says what they mean. */
    record TypedKey(List<LexToken> parts, boolean inParentheses) {
        String text() {
            if (!inParentheses) return parts.getFirst().shown();
            return parts.stream().map(LexToken::shown).collect(Collectors.joining(", ", "(", ")"));
        }
    }

    /** {@code field=value}. */
    record Assignment(String field, LexToken value) {}
}
