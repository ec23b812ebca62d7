package sql

// This file holds SYS_CONTEXT and USERENV: what a session knows of itself without any privilege.

import (
	"strconv"
	"strings"
)

// contextParameters are the parameters of the namespace USERENV.
var contextParameters = map[string]func(Environment) string{
	"SESSION_USER":   Environment.User,
	"CURRENT_USER":   Environment.User,
	"CURRENT_SCHEMA": Environment.User,
	"SID":            sessionID,
	"SESSIONID":      sessionID,
	"INSTANCE":       func(Environment) string { return "1" },
	"INSTANCE_NAME":  func(Environment) string { return instanceName },
	"SERVER_HOST":    func(Environment) string { return instanceName },
	"SERVICE_NAME":   func(Environment) string { return serviceName },
	"DB_NAME":        func(Environment) string { return databaseName },
	"DB_UNIQUE_NAME": func(Environment) string { return databaseName },
	"LANGUAGE":       func(Environment) string { return "AMERICAN_AMERICA.AL32UTF8" },
}

func sessionID(env Environment) string { return strconv.Itoa(env.SessionID()) }

const contextSize = 256

// sysContext is SYS_CONTEXT(namespace, parameter[, length]); a namespace that does not exist has NULL for every parameter.
func sysContext(arguments []expression) (expression, *Error) {
	namespace, parameter := as(Varchar2, arguments[0]), as(Varchar2, arguments[1])
	e := expression{Column: textOf(contextSize), uses: namespace.uses | parameter.uses}
	e.eval = func(r *row) (Value, *Error) {
		space, err := namespace.eval(r)
		if err != nil {
			return nil, err
		}
		name, err := parameter.eval(r)
		if err != nil {
			return nil, err
		}
		if strings.EqualFold(toText(space, Varchar2), "USERENV") {
			return contextValue(r.env, toText(name, Varchar2))
		}
		return nil, nil
	}
	return e, nil
}

// userEnv is USERENV(parameter), the older spelling.
func userEnv(arguments []expression) (expression, *Error) {
	return sysContext([]expression{constant("USERENV", textOf(contextSize)), arguments[0]})
}

func contextValue(env Environment, parameter string) (Value, *Error) {
	value, known := contextParameters[strings.ToUpper(parameter)]
	if !known {
		return nil, fail(2003, 0, "invalid USERENV parameter")
	}
	return textValue(value(env)), nil
}
