package tidepool.cli.transfer;

/** A place of a file that is not what it should be. */
public final class BadInputException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Makes the exception of a place; lines and columns count from 1, columns in UTF-16 units. */
    BadInputException(long line, long column, String sentence) {
        super("line " + line + ", column " + column + ": " + sentence);
    }
}
