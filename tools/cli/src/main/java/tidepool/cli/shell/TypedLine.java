package tidepool.cli.shell;

import java.util.List;
import java.util.stream.Stream;
import org.jline.reader.CompletingParsedLine;
import org.jline.reader.Parser;

/**
 * A line that is being typed, in the form of the editor: the statement at the cursor, cut at the cursor, and the word
 * to complete.
 *
 * @param line the whole line
 * @param cursor the index of the cursor
 * @param before the tokens of the statement before the word at the cursor
 * @param word the word that ends at the cursor; empty between words
 */
record TypedLine(String line, int cursor, List<LexToken> before, String word) implements CompletingParsedLine {

    /** Never asks for more lines, because a statement ends with its line. */
    static final Parser PARSER = (line, cursor, _) -> of(line, cursor);

    static TypedLine of(String line, int cursor) {
        List<LexToken> tokens = Lexer.soFar(line.substring(0, cursor));
        int from = 0;
        for (int i = 0; i < tokens.size(); i++) if (tokens.get(i).is(';')) from = i + 1;
        tokens = tokens.subList(from, tokens.size());
        if (tokens.isEmpty() || !tokens.getLast().isWord() || tokens.getLast().end() < cursor)
            return new TypedLine(line, cursor, List.copyOf(tokens), "");
        return new TypedLine(
                line,
                cursor,
                List.copyOf(tokens.subList(0, tokens.size() - 1)),
                line.substring(tokens.getLast().start(), cursor));
    }

    @Override
    public int wordCursor() {
        return word.length();
    }

    @Override
    public int wordIndex() {
        return before.size();
    }

    @Override
    public List<String> words() {
        return Stream.concat(before.stream().map(LexToken::text), Stream.of(word))
                .toList();
    }

    @Override
    public CharSequence escape(CharSequence candidate, boolean complete) {
        return candidate;
    }

    @Override
    public int rawWordCursor() {
        return word.length();
    }

    @Override
    public int rawWordLength() {
        return word.length();
    }
}
