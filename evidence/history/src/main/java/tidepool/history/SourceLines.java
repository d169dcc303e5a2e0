package tidepool.history;

import java.util.ArrayList;
import java.util.List;

/** Lines of several files as one sequence of numbers, so that a place in a history is a single int. */
final class SourceLines {
    private final List<String> files = new ArrayList<>();
    private final IntColumn firsts = new IntColumn();
    private int next;

    void open(String file) {
        files.add(file);
        firsts.add(next);
    }

    /** Returns the place of a line of the file that was opened last. */
    int place(int line) {
        return firsts.at(firsts.size() - 1) + line;
    }

    void close(int lines) {
        next = place(lines);
    }

    String file(int place) {
        return files.get(fileOf(place));
    }

    int line(int place) {
        return place - firsts.at(fileOf(place));
    }

    /** Returns a readable place: {@code line 17}, with the file if there are several. */
    String name(int place) {
        return files.size() == 1 ? "line " + line(place) : file(place) + ":" + line(place);
    }

    private int fileOf(int place) {
        int file = files.size() - 1;
        while (firsts.at(file) >= place) file--;
        return file;
    }
}
