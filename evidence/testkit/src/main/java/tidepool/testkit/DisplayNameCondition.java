package tidepool.testkit;

import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Skips invocations of parameterized and repeated tests whose display name does not contain
 * {@code -Dtidepool.invocation=TEXT}. Without the property all run.
 */
public final class DisplayNameCondition implements ExecutionCondition {
    private static final String WANTED = System.getProperty("tidepool.invocation");

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        return evaluate(context.getUniqueId(), context.getDisplayName(), WANTED);
    }

    static ConditionEvaluationResult evaluate(String uniqueId, String displayName, String wanted) {
        // The last segment of the id: classes and the parameterized test itself always run.
        boolean isInvocation = uniqueId.lastIndexOf("/[test-template-invocation:") == uniqueId.lastIndexOf("/[");
        if (wanted == null || !isInvocation || displayName.contains(wanted))
            return ConditionEvaluationResult.enabled("wanted by this run");
        return ConditionEvaluationResult.disabled("left out by -Dtidepool.invocation=" + wanted);
    }
}
