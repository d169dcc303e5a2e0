package tidepool.mutants;

/**
 * One fault in one place.
 *
 * @param type the class, as {@code tidepool/protocol/ford/FordRecovery}
 * @param file its source file, as named in the class file
 * @param method name and descriptor
 * @param instruction number of the instruction in the method, counted from 0
 * @param line of the source
 * @param what description of the change
 */
record Mutant(String type, String file, String method, int instruction, int line, Mutation mutation, String what) {
    /** Returns the file below the source folder, with the line. */
    String place() {
        int slash = type.lastIndexOf('/');
        return type.substring(0, slash + 1) + file + ":" + line;
    }

    String methodName() {
        return method.substring(0, method.indexOf('('));
    }

    @Override
    public String toString() {
        return place() + " " + methodName() + ": " + what;
    }
}
