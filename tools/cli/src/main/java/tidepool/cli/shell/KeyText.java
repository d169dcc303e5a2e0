package tidepool.cli.shell;

import java.util.ArrayList;
import java.util.List;
import tidepool.cli.shell.Statement.TypedKey;
import tidepool.schema.EightByteKeys;
import tidepool.schema.KeyPacker;

/**
 * The text form of a key. In the pool every key is one word. Only the application knows how it packs parts into that
 * word, so a key of parts is written with the widths of the parts.
 *
 * <pre>
 *   key  = number | "(" part *( "," part ) ")"
 *   part = number [ ":" bits ]        two parts without bits are EightByteKeys.pack(high, low)
 * </pre>
 */
final class KeyText {
    private KeyText() {}

    static TypedKey parse(Cursor cursor) {
        if (cursor.accept('(')) return parts(cursor);
        LexToken token = cursor.value("a key");
        if (cursor.peek() != null && cursor.peek().is('='))
            throw new StatementException(
                    "a key is expected before the fields: it is a number, and '" + token.text() + "=' is a field");
        return new TypedKey(number(token), token.text());
    }

    private static TypedKey parts(Cursor cursor) {
        List<String> texts = new ArrayList<>();
        do texts.add(cursor.value("a part of the key").text());
        while (cursor.accept(','));
        cursor.expect(')', "behind the parts of the key");
        String text = "(" + String.join(", ", texts) + ")";
        boolean plain = texts.stream().noneMatch(each -> each.contains(":"));
        return new TypedKey(plain ? pair(texts, text) : packed(texts, text), text);
    }

    private static long pair(List<String> parts, String text) {
        if (parts.size() == 1) return whole(parts.getFirst());
        if (parts.size() > 2)
            throw new StatementException("a key of " + parts.size()
                    + " parts says how many bits each takes, (3:16, 7:8, 1:40), not " + text);
        return EightByteKeys.pack(half(parts.getFirst()), half(parts.getLast()));
    }

    private static int half(String part) {
        long number = whole(part);
        if (number == (int) number) return (int) number;
        throw new StatementException("a part of a pair has 32 bits, and " + part + " does not fit");
    }

    private static long packed(List<String> parts, String text) {
        KeyPacker packer = EightByteKeys.packer();
        long[] values = new long[parts.size()];
        try {
            for (int i = 0; i < values.length; i++) {
                String[] both = parts.get(i).split(":", -1);
                if (both.length != 2)
                    throw new StatementException(
                            "all parts of a key have their bits, or none: (3:16, 7:8, 1:40), not " + text);
                values[i] = whole(both[0]);
                packer = packer.bits("number " + (i + 1), Math.clamp(whole(both[1]), 0, 1000));
            }
            return packer.pack(values);
        } catch (IllegalArgumentException e) {
            throw new StatementException(e.getMessage());
        }
    }

    private static long number(LexToken token) {
        return whole(token.text());
    }

    private static long whole(String text) {
        try {
            return FieldText.whole(text);
        } catch (NumberFormatException e) {
            throw new StatementException(
                    "a key is a number of 64 bits, such as 42 or 0x2a, or has parts, such as (3, 7); not '" + text
                            + "'");
        }
    }
}
